import type { ReturnScanResult } from '../../api/staff-calls.ts'
import type { QueuedCall } from '../queue/queue.ts'
import { plainCall, scanCall } from '../queue/queue.ts'
import type { Verdict } from '../scan/verdict.ts'

export type Condition = ReturnScanResult['condition']

export const conditions: Readonly<Record<Condition, string>> = {
  sellable: 'Годен',
  damaged: 'Повреждён',
  unknown: 'Не осмотрен',
}

/** What a scan does to the batches that are shown. */
export interface Came {
  readonly came: number
}

export interface ReturnedUnit {
  readonly code: string
  /** Which of the order's goods, where the code is of an order that has several. */
  readonly barcode?: string | undefined
  readonly condition: Condition
  /** How many came, with this one. */
  readonly figure: number
  /** Whose it is, where several clients have the code. */
  readonly client?: { readonly id: string; readonly name?: string } | undefined
  /** The batch; without one the service finds that of the day. */
  readonly batchId?: string | undefined
}

/** What was scanned of a unit, without what the page knows. */
export type ScannedReturn = Pick<ReturnedUnit, 'code' | 'barcode' | 'condition' | 'client'>

/** A unit that came back. */
export function verdictOfReturn(unit: ReturnedUnit): Verdict {
  const { code, barcode, condition, figure, client, batchId } = unit
  const name = barcode === undefined ? code : `${barcode}, ${code}`
  const owner = client?.name === undefined ? '' : `. ${client.name}`
  const said = (what: string) => `${conditions[condition]}: ${what}${owner}`
  return {
    kind: 'counts',
    call: callOf(unit),
    effect: { came: 1 } satisfies Came,
    outcome: condition === 'sellable' ? 'good' : 'surplus',
    figure,
    sentence: said(name),
    whenAnswered: (answer) => {
      const known = `${name} · ${(answer as ReturnScanResult).name}`
      return { sentence: said(known), name: known }
    },
    undo: {
      name,
      figureAfter: figure - 1,
      call: (scanId) => {
        const path = { id: batchId ?? '', scan_id: scanId }
        const undo = plainCall('POST /returns/{id}/scans/{scan_id}/undo', path, undefined)
        return batchId === undefined ? { ...undo, fromAnswer: { id: 'return_id' } } : undo
      },
    },
  }
}

function callOf({ code, barcode, condition, client, batchId }: ReturnedUnit): QueuedCall {
  const unit = { code, condition, ...(barcode === undefined ? {} : { barcode }) }
  if (batchId !== undefined) return scanCall('POST /returns/{id}/scans', { id: batchId }, unit)
  const owner = client === undefined ? {} : { client_id: client.id }
  return scanCall('POST /returns/scans', undefined, { ...unit, ...owner })
}
