import type { Scene } from './scene.ts'

/** The first numbers that triggers give: larger than those of the scenario and of the robot. */
const first = {
  orders: { prefix: '', digits: '3000000001' },
  shipments: { prefix: 'WB-GI-', digits: '90000001' },
} as const

/** The next number of an order or shipment in the WB cabinet. */
export async function nextNumber(
  { work, clientId, cabinetId }: Scene,
  table: 'orders' | 'shipments',
): Promise<string> {
  const { prefix, digits } = first[table]
  const like = `${prefix}${digits[0]}%`
  const [row] = await work.tx<[{ last: string | null }]>`
    select max(external_id collate "C") as last from ${work.tx(table)}
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and external_id like ${like}
      and length(external_id) = ${prefix.length + digits.length}`
  if (row.last === null) return prefix + digits
  return prefix + String(Number(row.last.slice(prefix.length)) + 1)
}
