import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from './insist.ts'
import { pickOf, type Scene } from './scene.ts'

/** Callers that work at the same time until they are stopped, and what the service acknowledged to each. */
export interface Acknowledged {
  counts: number
  picks: number
  returns: number
  /** Ids of receipts, by their external_ref. */
  readonly receipts: Map<string, string>
  /** Numbers of orders that the stand-ins have, by cabinet. */
  readonly orders: Map<string, string[]>
  /** Ids of the events of the feed, in its order. */
  readonly events: string[]
}

export interface Load {
  readonly acknowledged: Acknowledged
  /** Ends when everything that was begun is acknowledged. Throws what went wrong for a caller. */
  stop(): Promise<void>
}

/** Between two calls of a caller: the machine has other work too. */
const restMs = 8
const orderEveryMs = 250
const counters = 3
const pickers = 2
const announcers = 2

export function startLoad(scene: Scene): Load {
  const acknowledged: Acknowledged = {
    counts: 0,
    picks: 0,
    returns: 0,
    receipts: new Map(),
    orders: new Map(scene.markets.map(({ cabinet }) => [cabinet, []])),
    events: [],
  }
  let stopped = false
  const again = async (pauseMs: number, act: () => Promise<boolean>) => {
    while (!stopped && !scene.ended.aborted && (await act())) await sleep(pauseMs)
  }
  const times = (count: number, act: () => Promise<boolean>) =>
    Array.from({ length: count }, () => again(restMs, act))
  const working = [
    ...times(counters, counting(scene, acknowledged)),
    ...times(pickers, picking(scene, acknowledged)),
    ...times(1, returning(scene, acknowledged)),
    ...times(announcers, announcing(scene, acknowledged)),
    ...times(1, reading(scene, acknowledged)),
    again(orderEveryMs, ordering(scene, acknowledged)),
  ]
  const done = Promise.all(working)
  // Whoever stops the load hears of it.
  done.catch(() => {})
  return {
    acknowledged,
    async stop() {
      stopped = true
      await done
    },
  }
}

function counting({ staff, receipt }: Scene, acknowledged: Acknowledged) {
  let next = 0
  return async () => {
    const scan = { scan_id: `count ${next++}`, barcode: 'B' }
    await staff.insist('POST', `/receipts/${receipt}/scans`, scan)
    acknowledged.counts += 1
    return true
  }
}

function picking({ staff, task, toPick }: Scene, acknowledged: Acknowledged) {
  const left = [...toPick]
  return async () => {
    const order = left.shift()
    if (order === undefined) return false
    const { path, body } = pickOf(task, order)
    await staff.insist('POST', path, body)
    acknowledged.picks += 1
    return true
  }
}

function returning({ staff, returns, away }: Scene, acknowledged: Acknowledged) {
  const left = [...away]
  return async () => {
    const code = left.shift()
    if (code === undefined) return false
    const scan = { scan_id: `back ${code}`, code, condition: 'sellable' }
    await staff.insist('POST', `/returns/${returns}/scans`, scan)
    acknowledged.returns += 1
    return true
  }
}

function announcing({ seller, cabinet }: Scene, { receipts }: Acknowledged) {
  let next = 0
  const items = [{ barcode: 'B', name: 'B', qty: 1, honest_mark: false }]
  return async () => {
    const external_ref = `receipt ${next++}`
    const made = await seller.insist('POST', '/receipts', {
      cabinet_id: cabinet,
      external_ref,
      items,
    })
    receipts.set(external_ref, String(made.id))
    return true
  }
}

function reading({ seller }: Scene, { events }: Acknowledged) {
  let after = ''
  return async () => {
    const page = await seller.insist('GET', `/events?limit=100${after && `&after=${after}`}`)
    events.push(...(page.items as Json[]).map(({ id }) => String(id)))
    after = String(page.next_after)
    return true
  }
}

function ordering({ markets }: Scene, { orders }: Acknowledged) {
  return async () => {
    for (const { fake, account, cabinet } of markets) {
      orders.get(cabinet)?.push(fake.addOrder(account))
    }
    return true
  }
}
