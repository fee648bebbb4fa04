import { type QueuedCall, scanCall } from '../queue/queue.ts'

/** A location or a box, by the code of its label. */
export interface Place {
  readonly kind: 'location' | 'box'
  readonly code: string
}

export interface Goods {
  readonly barcode: string
  readonly name: string
  readonly clientId: string
}

export interface Handful {
  readonly goods: Goods
  readonly qty: number
}

export function nameOfPlace({ kind, code }: Place): string {
  return kind === 'box' ? `короб …${code.slice(-5)}` : code
}

export function isSamePlace(a: Place, b: Place | undefined): boolean {
  return a.kind === b?.kind && a.code === b.code
}

export function putCall({ kind, code: id }: Place, { goods, qty }: Handful): QueuedCall {
  const { barcode, clientId } = goods
  return kind === 'box'
    ? scanCall('POST /boxes/{id}/put', { id }, { barcode, qty })
    : scanCall('POST /locations/{id}/put', { id }, { client_id: clientId, barcode, qty })
}

export function takeCall({ kind, code: id }: Place, { goods, qty }: Handful): QueuedCall {
  const { barcode, clientId } = goods
  return kind === 'box'
    ? scanCall('POST /boxes/{id}/take', { id }, { barcode, qty })
    : scanCall('POST /locations/{id}/take', { id }, { client_id: clientId, barcode, qty })
}

/** Undefined out of a box to a location: the service has no such verb. */
export function moveCall(from: Place, to: Place, { goods, qty }: Handful): QueuedCall | undefined {
  const { barcode, clientId } = goods
  const path = { id: from.code }
  if (from.kind === 'location') {
    const target = to.kind === 'box' ? { to_box_id: to.code } : { to_location_id: to.code }
    const body = { client_id: clientId, barcode, qty, ...target }
    return scanCall('POST /locations/{id}/move', path, body)
  }
  if (to.kind === 'location') return undefined
  return scanCall('POST /boxes/{id}/move', path, { barcode, qty, to_box_id: to.code })
}
