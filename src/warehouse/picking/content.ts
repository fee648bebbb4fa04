import type { Queryable } from '../../platform/db/connection.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import type { OrderStatus } from '../orders/state.ts'
import { missColumns, missTables } from './miss-columns.ts'
import { type MissFactsRow, missFactsView } from './miss-view.ts'
import { notesOn } from './required-marks.ts'
import type { PickingLine, PickingMiss } from './view.ts'
import { type PickPlace, planWalk, type WalkHint } from './walk.ts'

/** Boxes shown per SKU. */
const boxesMax = 5
/** Boxes and locations per SKU that the walk knows. */
const placesMax = 100

interface LineRow {
  order_id: string
  order_external_id: string
  marketplace: Marketplace
  order_status: OrderStatus
  packed_at: Timestamp | null
  barcode: string
  name: string
  article: string | null
  qty: number
  picked: number
  honest_mark: boolean
  required_marks: string[]
  optional_marks: string[]
  picks: PickingLine['picks']
  checked: number
  deadline: Timestamp | null
  comment: string | null
  cargo_type: string | null
  needs_boxes: boolean | null
  set: NonNullable<PickingLine['set']> | null
}

/**
 * The lines of a shipment's orders in walking order. Without locations the oldest order comes first. `offset 0` makes
 * the server look lines up order by order, even while its statistics are too old to choose that.
 */
export async function linesOfTask(
  db: Queryable,
  clientId: string,
  shipmentId: string,
  at: Timestamp,
): Promise<PickingLine[]> {
  const rows = await db<LineRow[]>`
    select l.order_id, o.external_id as order_external_id, o.marketplace, o.status as order_status, o.packed_at,
      l.barcode, p.name, coalesce(l.article, p.article) as article, l.quantity as qty, l.picked,
      p.honest_mark, l.required_marks, l.optional_marks, u.picks, c.checked, o.deadline_at as deadline, f.comment,
      f.cargo_type, f.needs_boxes, (
        select json_build_object('barcode', s.barcode, 'name', g.name, 'qty', s.from_parts)
        from order_sets s join products g on g.client_id = s.client_id and g.barcode = s.barcode
        where s.client_id = l.client_id and s.order_id = l.order_id and s.line = l.set_line
          and s.barcode <> l.barcode
      ) as set
    from orders o
    left join order_facts f on f.client_id = o.client_id and f.order_id = o.id
    cross join lateral (
      select * from order_lines l where l.client_id = o.client_id and l.order_id = o.id offset 0
    ) l
    cross join lateral (
      select * from products p where p.client_id = o.client_id and p.barcode = l.barcode offset 0
    ) p
    cross join lateral (
      select coalesce(json_agg(json_build_object('scan_id', k.scan_id,
        'marking_code', k.marking_code is not null, 'marks', k.marks)
        order by k.at, k.scan_id), '[]') as picks
      from picks k
      where k.client_id = o.client_id and k.order_id = o.id and k.line = l.line
        and k.undone_at is null and l.picked > 0
    ) u
    cross join lateral (
      select count(*) as checked from pack_checks c
      where c.client_id = o.client_id and c.order_id = o.id and c.line = l.line
        and c.undone_at is null
    ) c
    where o.client_id = ${clientId} and o.shipment_id = ${shipmentId}
    order by o.created_at, o.id, l.line`
  const barcodes = [...new Set(rows.map(({ barcode }) => barcode))]
  const [boxes, places, dated, hints] = await Promise.all([
    boxesWith(db, clientId, barcodes),
    placesWith(db, clientId, barcodes, at),
    datedGoods(db, clientId, barcodes),
    hintsOf(db, clientId, shipmentId),
  ])
  return planWalk(rows, places, hints).map(
    ({ article, comment, cargo_type, needs_boxes, set, ...given }) => {
      const { marketplace, ...row } = given
      return {
        ...row,
        required_marks: row.required_marks.filter(
          (kind) => kind !== 'expiration' || !dated.has(row.barcode),
        ),
        ...(article === null ? {} : { article }),
        ...(comment === null ? {} : { comment }),
        ...(cargo_type === null ? {} : { cargo_type }),
        ...(set === null ? {} : { set }),
        notes: [
          ...notesOn(row.required_marks),
          ...(needs_boxes === true ? [boxesMissing] : []),
          ...(marketplace === 'WB' && lacksDeclaration(row) ? [declarationMissing] : []),
        ],
        boxes: boxes.get(row.barcode) ?? [],
      }
    },
  )
}

type DeclaredLine = Pick<LineRow, 'required_marks' | 'picks' | 'qty'>

function lacksDeclaration({ required_marks: required, picks, qty }: DeclaredLine) {
  const given = picks.filter(({ marks }) => marks.customs_declaration != null)
  return required.includes('customs_declaration') && given.length < qty
}

const declarationMissing =
  'WB даст этикетку заказа после номера таможенной декларации: введите его до печати'

const boxesMissing =
  'Заказ едет в нескольких коробках: укажите их число у заказа до закрытия отгрузки'

interface BoxRow {
  barcode: string
  box_id: string
  sscc: string | null
  qty: number
}

/** The boxes that hold these goods, by barcode, the fullest first. */
async function boxesWith(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<ReadonlyMap<string, PickingLine['boxes']>> {
  const rows = await db<BoxRow[]>`
    select needed.barcode, b.box_id, n.sscc, b.qty
    from unnest(${barcodes as string[]}::text[]) as needed (barcode)
    cross join lateral (
      select c.box_id, c.quantity as qty from box_contents c
      where c.client_id = ${clientId} and c.barcode = needed.barcode collate "C"
      order by c.quantity desc, c.box_id limit ${boxesMax}
    ) b
    left join storage_numbers n on n.client_id = ${clientId} and n.object_id = b.box_id
      and n.kind = 'box'
    order by b.qty desc, b.box_id`
  const boxes = new Map<string, PickingLine['boxes']>()
  for (const { barcode, box_id, sscc, qty } of rows) {
    const box = { box_id, ...(sscc === null ? {} : { sscc }), qty }
    boxes.set(barcode, [...(boxes.get(barcode) ?? []), box])
  }
  return boxes
}

/** Goods whose units all have an expiry date: the pick takes it from their lot, and nobody types it. */
async function datedGoods(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db<{ barcode: string }[]>`
    select barcode from stock_lots
    where client_id = ${clientId} and barcode = any(${barcodes as string[]}) and place <> 'picked'
    group by barcode having min(expires_on) > '-infinity'`
  return new Set(rows.map(({ barcode }) => barcode))
}

/**
 * Where these goods lie, in walking order; boxes without a location come last, the fullest first. With a moment a place
 * has a row for each expiry date, without those that have passed.
 */
export async function placesWith(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
  at?: Timestamp,
): Promise<PickPlace[]> {
  return db<PickPlace[]>`
    select needed.barcode, l.id as location_id, l.code as location_code, l.zone, s.box_id, n.sscc,
      coalesce(t.units, s.qty) as qty, to_char(nullif(t.expires_on, '-infinity'), 'YYYY-MM-DD') as expires_on
    from unnest(${barcodes as string[]}::text[]) as needed (barcode)
    cross join lateral (
      (select c.location_id, null::uuid as box_id, c.quantity as qty from location_contents c
      where c.client_id = ${clientId} and c.barcode = needed.barcode collate "C"
      limit ${placesMax})
      union all
      (select coalesce(b.location_id, p.location_id), c.box_id, c.quantity
      from box_contents c
      join boxes b on b.client_id = c.client_id and b.id = c.box_id
      left join pallets p on p.client_id = b.client_id and p.id = b.pallet_id
      where c.client_id = ${clientId} and c.barcode = needed.barcode collate "C"
      order by c.quantity desc, c.box_id limit ${placesMax})
    ) s
    left join locations l on l.id = s.location_id
    left join lateral (
      select k.expires_on, sum(k.quantity)::bigint as units from stock_lots k
      where k.client_id = ${clientId} and k.barcode = needed.barcode collate "C"
        and k.place = case when s.box_id is null then 'location' else 'box' end
        and k.place_id = coalesce(s.box_id, s.location_id) and ${at !== undefined}
      group by k.expires_on
    ) t on true
    left join storage_numbers n on n.client_id = ${clientId} and n.object_id = s.box_id
      and n.kind = 'box'
    where t.expires_on is null or t.expires_on = '-infinity' or t.expires_on >= ${at ?? null}::date
    order by l.zone, l.walk_order, l.code, s.box_id is not null,
      case when l.id is null then -s.qty else s.qty end, s.box_id, t.expires_on`
}

/** The misses of a task, the oldest first. */
export async function missesOfTask(
  db: Queryable,
  clientId: string,
  taskId: string,
): Promise<PickingMiss[]> {
  const rows = await db<MissFactsRow[]>`
    select ${missColumns(db)} from ${missTables(db)}
    where m.client_id = ${clientId} and m.task_id = ${taskId} order by m.at, m.id`
  return rows.map(missFactsView)
}

/** What the misses of a shipment tell of places, the oldest first. */
async function hintsOf(db: Queryable, clientId: string, shipmentId: string): Promise<WalkHint[]> {
  return db<WalkHint[]>`
    select m.order_id, m.barcode, m.location_id, m.box_id, m.to_location_id, m.to_box_id
    from picking_tasks t
    join pick_misses m on m.client_id = t.client_id and m.task_id = t.id
    where t.client_id = ${clientId} and t.shipment_id = ${shipmentId}
      and coalesce(m.outcome, 'open') <> 'found'
    order by m.at, m.id`
}
