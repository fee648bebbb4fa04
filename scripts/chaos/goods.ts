import { everything, type Json } from './insist.ts'
import type { Acknowledged, ShiftWork } from './load.ts'
import type { Scene, Shift } from './scene.ts'

/**
 * What changes goods meanwhile: dates of what is counted, sets that are assembled, and in each shift goods that are found, and then
 * turn out to be those that are counted.
 *
 * A is ordered, B is counted, S is a set of A and D.
 */

export const setParts = ['A', 'D'] as const

/** What the service has acknowledged of goods. */
export interface Handled {
  /** Counted units by the date until which they are good. */
  readonly dated: Map<string, number>
  assembled: number
  /** Units of the goods of each shift. */
  readonly found: Map<string, number>
  /** Shifts whose goods became B. */
  readonly merged: Set<string>
}

export const nothingHandled = (): Handled => ({
  dated: new Map(),
  assembled: 0,
  found: new Map(),
  merged: new Set(),
})

export const countOfHandled = ({ assembled, found, merged }: Handled) =>
  assembled + merged.size + [...found.values()].reduce((sum, units) => sum + units, 0)

/** Far enough for any machine's clock. */
const dates = [2, 3].map((years) => `${new Date().getUTCFullYear() + years}-01-31`)
export const dateOf = (n: number) => dates[n % dates.length] ?? ''

type OfClient = Pick<Scene, 'staff' | 'client'>

/** The goods are known: keeps their dates, and says what the set is made of. */
export async function prepareGoods({ staff, client }: OfClient): Promise<void> {
  const products = `/clients/${client}/products`
  await staff.insist('PUT', `${products}/B/lots`, {})
  await staff.insist('PUT', `${products}/S`, { name: 'Набор' })
  const parts = setParts.map((barcode) => ({ barcode, qty: 1 }))
  await staff.insist('PUT', `${products}/S/parts`, { parts })
}

const goodsOf = (shift: string) => `B of ${shift}`

/** Goods of the shift, that nobody knows to be B yet. */
export async function openGoods({ staff, client }: OfClient, shift: Shift): Promise<void> {
  const path = `/clients/${client}/products/${encodeURIComponent(goodsOf(shift.name))}`
  await staff.insist('PUT', path, { name: 'То же самое' })
}

export function finding({ staff, client }: OfClient, { name }: Shift, { found }: Handled) {
  let next = 0
  return async () => {
    const entry = { barcode: goodsOf(name), delta: 1, reason: 'FOUND' }
    const entry_id = `found ${name} ${next++}`
    await staff.insist('POST', `/clients/${client}/corrections`, { ...entry, entry_id })
    found.set(name, (found.get(name) ?? 0) + 1)
    return true
  }
}

/** Once, while the shift works. */
export function merging({ staff, client }: OfClient, { name }: Shift, { merged }: Handled) {
  return async () => {
    const from = encodeURIComponent(goodsOf(name))
    await staff.insist('PUT', `/clients/${client}/products/B/merged/${from}`)
    merged.add(name)
    return false
  }
}

export function assembling({ staff, client }: OfClient, shift: Shift, handled: Handled) {
  let left = shift.toAssemble
  return async () => {
    left -= 1
    if (left < 0) return false
    const document = { kind: 'ASSEMBLE', barcode: 'S', qty: 1 }
    const entry_id = `assembled ${shift.name} ${left}`
    await staff.insist('POST', `/clients/${client}/assemblies`, { ...document, entry_id })
    handled.assembled += 1
    return true
  }
}

/** The balances follow from what was acknowledged, and the lots of B from its dates. */
export async function checkGoods(scene: OfClient, acknowledged: Acknowledged): Promise<string[]> {
  const { staff, client } = scene
  const { counts, shifts, handled } = acknowledged
  const all = (each: (work: ShiftWork) => number) =>
    shifts.reduce((sum, work) => sum + each(work), 0)
  const parts = all(({ shift }) => shift.parts) - handled.assembled
  const away = all(({ shift, returns }) => shift.away.length - returns)
  const { found, merged } = handled
  const units = [...found]
  const undated = units.reduce((sum, [name, each]) => sum + (merged.has(name) ? each : 0), 0)
  const expected = new Map([
    ...units.flatMap(([name, each]) => (merged.has(name) ? [] : [[goodsOf(name), each] as const])),
    ['A', parts + all(({ shift }) => shift.toPick.length + shift.away.length) - away],
    ['B', counts + undated],
    ['D', parts],
    ['S', handled.assembled],
  ])
  const stock = await everything(staff, `/clients/${client}/stock?`)
  const shown = new Map(stock.map((item) => [String(item.barcode), Number(item.quantity)]))
  const lots = await staff.insist('GET', `/clients/${client}/products/B/lots`)
  const byDate = new Map((lots.items as Json[]).map((lot) => [lot.expires_on, lot.quantity]))
  const product = await staff.insist('GET', `/clients/${client}/products/B`)
  const names = (product.other_barcodes ?? []) as string[]
  return [
    ...[...expected].flatMap(([barcode, each]) =>
      differ(`units of ${barcode}`, each, shown.get(barcode) ?? 0),
    ),
    ...[...handled.dated].flatMap(([date, each]) =>
      differ(`units until ${date}`, each, byDate.get(date) ?? 0),
    ),
    ...differ('units of B without a date', undated, byDate.get(null) ?? 0),
    ...differ('goods that became B', merged.size, names.length),
  ]
}

export const differ = (what: string, expected: unknown, found: unknown) =>
  expected === found ? [] : [`${what}: ${expected} acknowledged, ${found} found`]
