import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { inLatinLayout } from '../../platform/kernel/case-folding.ts'
import {
  matchingBarcodes,
  readGoodsBarcode,
  spellingsOf,
} from '../../platform/kernel/codes/goods-barcode.ts'
import { readSscc } from '../../platform/kernel/codes/gs1.ts'
import { readMarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { isId } from '../../platform/kernel/ids.ts'
import { quoted } from '../../platform/kernel/quoted.ts'
import { goodsUnder } from '../catalogue/other-barcodes.ts'
import { readLocationCode } from '../storage/location-code.ts'
import { ordersOf, receiptsOf, returnBatchesOf, returnsOf, shipmentsOf } from './papers.ts'
import type { CodeLookup, LookupMatch, LookupPlace } from './view.ts'

/**
 * What a scanned code is, over all live clients. Each kind has one bounded statement, by an index that begins with the
 * code; a kind whose codes look different is not asked for. A code that names nothing may have been typed with the
 * Russian layout on, so it is looked for again as the same keys write it in the Latin one.
 */

/** Matches of a kind at most. */
const matchesMax = 20
/** Places of goods at most. */
const placesMax = 20

export interface LookupViewer {
  /** The codes of the viewer's warehouses; none: all. */
  readonly warehouses: readonly string[]
  /** Managers find receipts that nobody has confirmed, too. */
  readonly withRequests: boolean
}

export async function lookUp(
  db: Queryable,
  text: string,
  viewer: LookupViewer,
): Promise<CodeLookup> {
  const matches = await matchesOf(db, text, viewer)
  const meant = inLatinLayout(text)
  if (matches.length > 0 || meant === text) return { code: text, matches }
  return { code: text, matches: await matchesOf(db, meant, viewer) }
}

async function matchesOf(
  db: Queryable,
  text: string,
  { warehouses, withRequests }: LookupViewer,
): Promise<LookupMatch[]> {
  const code = text.trim()
  const seen: Fragment =
    warehouses.length === 0
      ? db`k.mode = 'live'`
      : db`k.mode = 'live' and k.warehouse_code = any(${[...warehouses]})`
  const bounds = { seen, limit: matchesMax, withRequests }
  const found = await Promise.all([
    goodsOf(db, text, seen),
    storedOf(db, 'box', code, seen),
    storedOf(db, 'pallet', code, seen),
    locationsOf(db, code, warehouses),
    ordersOf(db, code, bounds),
    shipmentsOf(db, code, bounds),
    receiptsOf(db, code, bounds),
    markingCodesOf(db, text, seen),
    returnsOf(db, code, bounds),
    returnBatchesOf(db, code, bounds),
  ])
  return found.flat()
}

interface GoodsRow {
  client_id: string
  client_name: string
  barcode: string
  name: string
  article: string | null
  quantity: number
  in_question: number
  reserved: number
  loose: number
  asks_expiry: true | null
}

async function goodsOf(db: Queryable, text: string, seen: Fragment): Promise<LookupMatch[]> {
  const scanned = readGoodsBarcode(text)
  const spellings = spellingsOf(scanned)
  // Each balance by its key: the planner would read all balances where many clients have the same goods.
  const rows = await db<GoodsRow[]>`
    select x.*, (
        select true from lot_goods where client_id = x.client_id and barcode = x.barcode
      ) as asks_expiry, x.quantity - coalesce((
        select sum(quantity) from box_contents where client_id = x.client_id and barcode = x.barcode
      ), 0)::bigint - coalesce((
        select sum(quantity) from location_contents
        where client_id = x.client_id and barcode = x.barcode
      ), 0)::bigint as loose
    from (
      select p.client_id, k.name as client_name, p.barcode, p.name, p.article,
        coalesce(b.quantity, 0) as quantity,
        coalesce(b.in_question, 0) as in_question, coalesce(b.reserved, 0) as reserved
      from products p join clients k on k.id = p.client_id and ${seen}
      left join lateral (
        select quantity, in_question, reserved from stock_balances
        where client_id = p.client_id and barcode = p.barcode limit 1
      ) b on true
      where (p.client_id, p.barcode) in (${goodsUnder(db, spellings)})
      order by coalesce(b.quantity, 0) > 0 desc, k.name, p.client_id, p.barcode limit ${matchesMax}
    ) x
    order by x.quantity > 0 desc, x.client_name, x.client_id, x.barcode`
  const meant = matchingBarcodes(
    scanned,
    rows.map(({ barcode }) => barcode),
  )
  // What is found under none of its spellings has the code for another barcode.
  const own = rows.filter(({ barcode }) => meant.includes(barcode) || !spellings.includes(barcode))
  const places = await placesOf(db, own)
  return own.map(({ client_id, client_name, asks_expiry, ...goods }, index) => ({
    ...{ kind: 'goods', title: `Товар ${quoted(goods.name)}`, id: null, client_id, client_name },
    ...goods,
    ...(asks_expiry && { asks_expiry }),
    places: places[index] ?? [],
  }))
}

/** Where goods lie, in the order of `goods`. */
async function placesOf(db: Queryable, goods: readonly GoodsRow[]): Promise<LookupPlace[][]> {
  if (goods.length === 0) return []
  const clients = goods.map(({ client_id }) => client_id)
  const barcodes = goods.map(({ barcode }) => barcode)
  const rows = await db<(LookupPlace & { position: number })[]>`
    select g.position, x.* from unnest(${clients}::uuid[], ${barcodes}::text[])
      with ordinality as g (client_id, barcode, position)
    cross join lateral (
      select l.id as location_id, l.code as location_code, s.box_id, n.sscc, s.qty,
        row_number() over (order by l.zone, l.walk_order, l.code, s.box_id) as place
      from (
        (select c.location_id, null::uuid as box_id, c.quantity as qty from location_contents c
        where c.client_id = g.client_id and c.barcode = g.barcode limit ${placesMax})
        union all
        (select coalesce(b.location_id, p.location_id), c.box_id, c.quantity from box_contents c
        join boxes b on b.client_id = c.client_id and b.id = c.box_id
        left join pallets p on p.client_id = b.client_id and p.id = b.pallet_id
        where c.client_id = g.client_id and c.barcode = g.barcode
        order by c.box_id limit ${placesMax})
      ) s
      left join locations l on l.id = s.location_id
      left join storage_numbers n on n.client_id = g.client_id and n.object_id = s.box_id
      order by place limit ${placesMax}
    ) x
    order by g.position, x.place`
  const places: LookupPlace[][] = goods.map(() => [])
  for (const { location_id, location_code, box_id, sscc, qty, position } of rows) {
    places[Number(position) - 1]?.push({ location_id, location_code, box_id, sscc, qty })
  }
  return places
}

const stored = {
  box: { title: 'Короб', table: 'boxes' },
  pallet: { title: 'Паллета', table: 'pallets' },
} as const

interface StoredRow {
  id: string
  client_id: string
  client_name: string
  sscc: string | null
  location_code: string | null
  units: number
}

async function storedOf(
  db: Queryable,
  kind: 'box' | 'pallet',
  code: string,
  seen: Fragment,
): Promise<LookupMatch[]> {
  const number = isId(code) ? undefined : readSscc(code)
  if (number === undefined && !isId(code)) return []
  const { title, table } = stored[kind]
  const isBox = kind === 'box'
  const id =
    number === undefined
      ? db`${code}::uuid`
      : db`(select n.object_id from storage_numbers n where n.sscc = ${number} and n.kind = ${kind})`
  const rows = await db<StoredRow[]>`
    select x.id, x.client_id, k.name as client_name, n.sscc, l.code as location_code, held.units
    from ${db(table)} x join clients k on k.id = x.client_id and ${seen}
    left join storage_numbers n on n.client_id = x.client_id and n.object_id = x.id
    ${isBox ? db`left join pallets p on p.client_id = x.client_id and p.id = x.pallet_id` : db``}
    left join locations l on l.id = ${isBox ? db`coalesce(x.location_id, p.location_id)` : db`x.location_id`}
    cross join lateral (
      select coalesce(sum(c.quantity), 0)::bigint as units from box_contents c
      ${isBox ? db`` : db`join boxes b on b.client_id = c.client_id and b.id = c.box_id`}
      where c.client_id = x.client_id and ${isBox ? db`c.box_id = x.id` : db`b.pallet_id = x.id`}
    ) held
    where x.id = ${id}`
  return rows.map(({ sscc, ...row }) => ({ kind, title: `${title} ${sscc ?? ''}`.trim(), ...row }))
}

async function locationsOf(
  db: Queryable,
  text: string,
  warehouses: readonly string[],
): Promise<LookupMatch[]> {
  const code = isId(text) ? undefined : readLocationCode(text)
  if (code === undefined && !isId(text)) return []
  const rows = await db<{ id: string; code: string; zone: string; warehouse_code: string }[]>`
    select l.id, l.code, l.zone, l.warehouse_code from locations l
    join warehouses w on w.code = l.warehouse_code and w.mode = 'live'
    where ${code === undefined ? db`l.id = ${text}` : db`l.code = ${code}`}
      ${warehouses.length === 0 ? db`` : db`and l.warehouse_code = any(${[...warehouses]})`}
    order by l.warehouse_code limit ${matchesMax}`
  return rows.map(({ id, code, zone, warehouse_code }) => ({
    kind: 'location',
    title: `Место хранения ${code}${zone === '' ? '' : `, ${zone}`}, склад ${warehouse_code}`,
    ...{ id, client_id: null, client_name: null, warehouse_code, location_code: code },
  }))
}

const codeStates = { stored: 'на складе', picked: 'в заказе', shipped: 'отгружен' } as const

interface CodeRow {
  client_id: string
  client_name: string
  barcode: string
  name: string | null
  status: keyof typeof codeStates
  order_id: string | null
}

async function markingCodesOf(db: Queryable, text: string, seen: Fragment): Promise<LookupMatch[]> {
  const read = readMarkingCode(text)
  if (!read.ok) return []
  const rows = await db<CodeRow[]>`
    select m.client_id, k.name as client_name, m.barcode, p.name, m.state as status, m.order_id
    from marking_codes m join clients k on k.id = m.client_id and ${seen}
    left join products p on p.client_id = m.client_id and p.barcode = m.barcode
    where m.identity = ${read.identity}`
  return rows.map((row) => ({
    ...{ kind: 'marking_code', title: `Код маркировки, ${codeStates[row.status]}`, id: null },
    ...row,
  }))
}
