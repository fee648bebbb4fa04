import type { Scene } from './scene.ts'

/** The first numbers that triggers give: larger than those of the scenario and of the robot. */
const first = {
  orders: { prefix: '', digits: '3000000001' },
  shipments: { prefix: 'WB-GI-', digits: '90000001' },
} as const

/** The next number of an order or shipment in the WB cabinet. */
export async function nextNumber(scene: Scene, table: 'orders' | 'shipments'): Promise<string> {
  return (await nextNumbers(scene, table, 1)).join()
}

/** The next numbers, ascending. */
export async function nextNumbers(
  { work, clientId, cabinetId }: Scene,
  table: 'orders' | 'shipments',
  count: number,
): Promise<string[]> {
  const { prefix, digits } = first[table]
  const like = `${prefix}${digits[0]}%`
  const [row] = await work.tx<[{ last: string | null }]>`
    select max(external_id collate "C") as last from ${work.tx(table)}
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and external_id like ${like}
      and length(external_id) = ${prefix.length + digits.length}`
  const next = row.last === null ? Number(digits) : Number(row.last.slice(prefix.length)) + 1
  return Array.from({ length: count }, (_, at) => prefix + String(next + at))
}
