import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fakePhoto } from '../../tests/support/fake-photo.ts'
import {
  assembling,
  countOfHandled,
  dateOf,
  finding,
  type Handled,
  merging,
  nothingHandled,
} from './goods.ts'
import type { Json } from './insist.ts'
import {
  type Charged,
  charging,
  closing,
  counting as countingMoney,
  nothingCharged,
} from './money.ts'
import { pickOf, type Scene, type Shift } from './scene.ts'

/** What the service has acknowledged since the warehouse was opened. */
export interface Acknowledged {
  counts: number
  readonly shifts: ShiftWork[]
  /** Ids of receipts, by their external_ref. */
  readonly receipts: Map<string, string>
  /** Numbers of orders that the stand-ins have, by cabinet. */
  readonly orders: Map<string, string[]>
  /** Ids of the events of the feed, in its order, and where its reader stands. */
  readonly events: string[]
  eventsReadTo: string
  readonly money: Charged
  readonly handled: Handled
}

export interface ShiftWork {
  readonly shift: Shift
  picks: number
  /** Orders of which all units are picked. */
  packed: number
  returns: number
  /** Ids of the photos of the returns. */
  readonly photos: string[]
}

export function nothingYet({ markets }: Scene): Acknowledged {
  return {
    counts: 0,
    shifts: [],
    receipts: new Map(),
    orders: new Map(markets.map(({ cabinet }) => [cabinet, []])),
    events: [],
    eventsReadTo: '',
    money: nothingCharged(),
    handled: nothingHandled(),
  }
}

export function countOf(acknowledged: Acknowledged): number {
  const { counts, shifts, receipts, orders, money, handled } = acknowledged
  const worked = shifts.reduce(
    (sum, { picks, returns, photos }) => sum + picks + returns + photos.length,
    0,
  )
  const ordered = [...orders.values()].reduce((sum, { length }) => sum + length, 0)
  const charged = [...money.byHand.values()].reduce((sum, count) => sum + count, 0)
  const closed = money.closed.length
  return counts + worked + receipts.size + ordered + charged + closed + countOfHandled(handled)
}

export interface Load {
  /** Ends when everything that was begun is acknowledged. Throws what went wrong for a caller. */
  stop(): Promise<void>
}

/** Between two calls of a caller. What matters is that some are under way whenever something breaks, not how many. */
const restMs = 60
const orderEveryMs = 250
/** A run reads all of a month. */
const recountEveryMs = 1_000
const closeAfterMs = 1_500
const mergeAfterMs = 1_000
const counters = 3
const pickers = 2
const announcers = 2
const chargers = 2

/** Callers that work at the same time until they are stopped, and note what the service acknowledged to each. */
export function startLoad(scene: Scene, shift: Shift, acknowledged: Acknowledged): Load {
  const work: ShiftWork = { shift, picks: 0, packed: 0, returns: 0, photos: [] }
  acknowledged.shifts.push(work)
  let stopped = false
  const again = async (pauseMs: number, act: () => Promise<boolean>) => {
    while (!stopped && !scene.ended.aborted && (await act())) await sleep(pauseMs)
  }
  const times = (count: number, act: () => Promise<boolean>) =>
    Array.from({ length: count }, () => again(restMs, act))
  const working = [
    ...times(counters, counting(scene, shift, acknowledged)),
    ...times(pickers, picking(scene, work)),
    ...times(1, returning(scene, work)),
    ...times(1, photographing(scene, work)),
    ...times(1, finding(scene, shift, acknowledged.handled)),
    ...times(1, assembling(scene, shift, acknowledged.handled)),
    sleep(mergeAfterMs).then(() => again(restMs, merging(scene, shift, acknowledged.handled))),
    ...times(announcers, announcing(scene, shift, acknowledged)),
    ...times(1, reading(scene, acknowledged)),
    again(orderEveryMs, ordering(scene, acknowledged)),
    ...times(chargers, charging(scene, shift, acknowledged.money)),
    again(recountEveryMs, countingMoney(scene)),
    sleep(closeAfterMs).then(() => again(restMs, closing(scene, shift.month, acknowledged.money))),
  ]
  const done = Promise.all(working)
  // Whoever stops the load hears of it.
  done.catch(() => {})
  return {
    async stop() {
      stopped = true
      await done
    },
  }
}

function counting({ staff, receipt }: Scene, { name }: Shift, acknowledged: Acknowledged) {
  let next = 0
  return async () => {
    const expires_on = dateOf(next)
    const scan = { scan_id: `count ${name} ${next++}`, barcode: 'B', expires_on }
    await staff.insist('POST', `/receipts/${receipt}/scans`, scan)
    acknowledged.counts += 1
    const { dated } = acknowledged.handled
    dated.set(expires_on, (dated.get(expires_on) ?? 0) + 1)
    return true
  }
}

function picking({ staff }: Scene, work: ShiftWork) {
  const { task, toPick, setsToPick } = work.shift
  const left = [...setsToPick, ...toPick.map((order) => ({ order, goods: ['A'] }))]
  return async () => {
    const next = left.shift()
    if (next === undefined) return false
    for (const barcode of next.goods) {
      const { path, body } = pickOf(task, next.order, barcode)
      await staff.insist('POST', path, body)
      work.picks += 1
    }
    work.packed += 1
    return true
  }
}

function returning({ staff }: Scene, work: ShiftWork) {
  const left = [...work.shift.away]
  return async () => {
    const code = left.shift()
    if (code === undefined) return false
    const scan = { scan_id: `back ${code}`, code, condition: 'sellable' }
    await staff.insist('POST', `/returns/${work.shift.returns}/scans`, scan)
    work.returns += 1
    return true
  }
}

/** Below what the service takes of an object and, over the shifts of a day, of a client. */
const photosOfShift = 40

function photographing({ staff }: Scene, { shift, photos }: ShiftWork) {
  let left = photosOfShift
  return async () => {
    left -= 1
    if (left < 0) return false
    const id = randomUUID()
    const photo = fakePhoto(`${shift.name} ${left}`)
    await staff.insist('PUT', `/returns/${shift.returns}/photos/${id}`, photo)
    photos.push(id)
    return true
  }
}

function announcing({ seller, cabinet }: Scene, { name }: Shift, { receipts }: Acknowledged) {
  let next = 0
  const items = [{ barcode: 'B', name: 'B', qty: 1, honest_mark: false }]
  return async () => {
    const external_ref = `receipt ${name} ${next++}`
    const made = await seller.insist('POST', '/receipts', {
      cabinet_id: cabinet,
      external_ref,
      items,
    })
    receipts.set(external_ref, String(made.id))
    return true
  }
}

function reading({ seller }: Scene, acknowledged: Acknowledged) {
  return async () => {
    const { eventsReadTo } = acknowledged
    const after = eventsReadTo && `&after=${eventsReadTo}`
    const page = await seller.insist('GET', `/events?limit=100${after}`)
    acknowledged.events.push(...(page.items as Json[]).map(({ id }) => String(id)))
    acknowledged.eventsReadTo = String(page.next_after)
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
