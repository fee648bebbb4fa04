import { differ, setParts } from './goods.ts'
import { type Caller, everything, type Json, Refused } from './insist.ts'
import type { Acknowledged, ShiftWork } from './load.ts'

/** What a client of the chaos is charged: by measured facts, and by hand in a month that is closed meanwhile and in the present one. */

const service = { code: 'OWN_CHAOS', name: 'Уборка', unit: 'раз' }
const price = 5_000

/** What the service has acknowledged of money. */
export interface Charged {
  /** Charges by hand by their months; those of the present one under `now`. */
  readonly byHand: Map<string, number>
  /** Months that are closed, the first one first. */
  readonly closed: string[]
}

export const nothingCharged = (): Charged => ({ byHand: new Map(), closed: [] })

type OfClient = { readonly staff: Caller; readonly client: string }

/** Prices for all that a shift does, for longer than the client has been here. */
export async function setPrices(staff: Caller, client: string): Promise<void> {
  const { warehouse_code: code } = await staff.insist('GET', `/clients/${client}`)
  const first_day = '2020-01-01'
  await staff.insist('PUT', `/warehouses/${code}/billing-providers`, {
    ...{ first_day, name: 'ООО «Склад хаоса»', inn: '7707083893', kpp: null },
    ...{ address: 'Москва', signatory: 'Директор', vat_rate: 22, vat_included: false },
  })
  await staff.insist('POST', `/warehouses/${code}/billing-services`, service)
  const flat = (roubles: string) => [{ up_to: null, price: roubles }]
  const prices = {
    UNIT_RECEIVED: [{ up_to: 150, price: '6.10' }, ...flat('5.05')],
    STORAGE_UNIT_DAY: flat('0.33'),
    ORDER_PACKED: [{ up_to: 40, price: '45' }, ...flat('39')],
    SHIPMENT_HANDED_OVER: flat('350'),
    RETURN_SELLABLE: flat('20'),
    [service.code]: flat(`${price / 100}`),
  }
  await staff.insist('POST', `/warehouses/${code}/tariffs`, {
    first_day,
    prices: Object.entries(prices).map(([code, steps]) => ({ service: code, steps })),
  })
}

/** The month that is closed next; undefined when only the present one is open. */
export async function monthToClose({ staff, client }: OfClient): Promise<string | undefined> {
  await staff.insist('POST', `/clients/${client}/charges/recount`)
  const open = (await periodsOf({ staff, client })).filter(({ closed_at }) => closed_at === null)
  return open.length > 1 ? `${open.at(-1)?.period}` : undefined
}

async function periodsOf({ staff, client }: OfClient): Promise<Json[]> {
  return (await staff.insist('GET', `/clients/${client}/billing-periods`)).items as Json[]
}

/** Charges one in turn for the month and for today. What is refused because the month has been closed is not charged. */
export function charging(
  { staff, client }: OfClient,
  of: { readonly name: string; readonly month: string | undefined },
  { byHand }: Charged,
) {
  let next = 0
  return async () => {
    const month = next % 2 === 0 ? of.month : undefined
    const day = month === undefined ? {} : { day: `${month.slice(0, 8)}15` }
    const entry = { entry_id: `${of.name} ${next++}`, comment: 'Хаос', quantity: '1', ...day }
    const draft = { service: service.code, ...entry }
    try {
      await staff.insist('POST', `/clients/${client}/manual-charges`, draft)
      byHand.set(month ?? 'now', (byHand.get(month ?? 'now') ?? 0) + 1)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    return true
  }
}

export function counting({ staff, client }: OfClient) {
  return async () => {
    await staff.insist('POST', `/clients/${client}/charges/recount`)
    return true
  }
}

/** Closes the month, and knows that it did though the answer was lost. */
export function closing({ staff, client }: OfClient, month: string | undefined, charged: Charged) {
  return async () => {
    if (month === undefined) return false
    try {
      await staff.insist('POST', `/clients/${client}/billing-periods/${month}/close`)
    } catch (error) {
      const of = (await periodsOf({ staff, client })).find(({ period }) => period === month)
      if (!isConflict(error) || of?.closed_at === null) throw error
    }
    charged.closed.push(month)
    return false
  }
}

const isConflict = (error: unknown) => error instanceof Refused && error.status === 409

/** Each closed month has one act of what was charged for it by hand, and each thing that was acknowledged is charged once. */
export async function checkMoney(of: OfClient, acknowledged: Acknowledged): Promise<string[]> {
  const { staff, client } = of
  const { counts, shifts, money } = acknowledged
  const acts = (await everything(staff, `/clients/${client}/acts?`)).toReversed()
  const closed = money.closed.map((month, n) => {
    const sum = (money.byHand.get(month) ?? 0) * price
    return `${n + 1} of ${month}: ${(sum / 100).toFixed(2)}`
  })
  const made = acts.map(({ number, period, amount }) => `${number} of ${period}: ${amount}`)
  const { services } = await staff.insist('GET', `/clients/${client}/charges/summary`)
  const quantities = new Map((services as Json[]).map((each) => [each.service, each.quantity]))
  const all = (each: (work: ShiftWork) => number) =>
    shifts.reduce((sum, work) => sum + each(work), 0)
  const expected = {
    [service.code]: [...money.byHand.values()].reduce((sum, count) => sum + count, 0),
    UNIT_RECEIVED:
      counts +
      all(({ shift }) => shift.toPick.length + shift.away.length + setParts.length * shift.parts),
    ORDER_PACKED: all(({ shift, packed }) => shift.away.length + packed),
    RETURN_SELLABLE: all(({ returns }) => returns),
    SHIPMENT_HANDED_OVER: shifts.length,
  }
  return [
    ...differ('acts', closed.join(', '), made.join(', ')),
    ...Object.entries(expected).flatMap(([code, units]) =>
      differ(`charged ${code}`, units, Number(quantities.get(code) ?? 0)),
    ),
  ]
}
