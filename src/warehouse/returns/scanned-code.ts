import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import {
  matchingBarcodes,
  readGoodsBarcode,
  spellingsOf,
} from '../../platform/kernel/codes/goods-barcode.ts'
import { barcodesOfGtin } from '../../platform/kernel/codes/gs1.ts'
import { type MarkingCode, readMarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { readMark } from '../../platform/kernel/codes/unit-mark.ts'
import { conflict, excerpt, invalidField } from '../../platform/kernel/errors.ts'
import { mergedInto } from '../catalogue/merged-products.ts'
import { meantByScans } from '../catalogue/other-barcodes.ts'
import { seenClients } from '../clients/list-conditions.ts'
import { barcodesByCards } from '../stock/card-gtins.ts'
import { goodsOfAnother } from '../stock/goods-of-another.ts'
import { findMarkingCode } from '../stock/marking-codes.ts'
import { goodsOfExpected } from './expected-units.ts'

/**
 * What a scanned code says about a unit that came back. A code is tried as: marking code, number or label of
 * an order, label or number of a marketplace's return, code that fetches returns, IMEI or УИН, barcode.
 */

/** What a code names, within one client. */
export type NamedUnit =
  /** An order, and which of its units where the code says so. */
  | {
      readonly kind: 'order'
      readonly orderId: string
      readonly barcode?: string | undefined
      readonly identity?: string | undefined
      readonly pickScanId?: string | undefined
      readonly expectedReturnId?: string | undefined
    }
  /** A product, and a marking code that the warehouse has not seen. */
  | {
      readonly kind: 'goods'
      readonly barcode: string
      readonly marked: boolean
      readonly newCode?: MarkingCode | undefined
      readonly expectedReturnId?: string | undefined
    }

/** A code, the client that it is of, and the cabinet whose orders come first. */
export interface AskedCode {
  readonly clientId: string
  readonly code: string
  readonly cabinetId: string | null
}

/**
 * The unit that a code names. Throws validation_error or conflict with what to do.
 *
 * @param numbered the orders of `ordersByNumber` for this code, where the caller has read them
 */
export async function unitOfCode(
  db: Queryable,
  asked: AskedCode,
  numbered?: readonly NumberedOrder[],
): Promise<NamedUnit> {
  const { clientId, code } = asked
  const marking = readMarkingCode(code)
  if (marking.ok) return unitOfMarkingCode(db, clientId, marking)
  const [orders = []] = numbered === undefined ? await ordersByNumber(db, [asked]) : [numbered]
  const found =
    orderAmong(orders, asked) ??
    (await asMerged(db, clientId, await unitOfExpectedReturn(db, clientId, code.trim()))) ??
    (await unitOfMark(db, clientId, code)) ??
    (await goodsOfBarcode(db, clientId, code))
  if (found !== undefined) return found
  throw await unknownCode(db, clientId, code)
}

async function unitOfMarkingCode(
  db: Queryable,
  clientId: string,
  code: MarkingCode,
): Promise<NamedUnit> {
  const { identity } = code
  const known = await findMarkingCode(db, identity)
  if (known === undefined) {
    const goods = await goodsOfGtin(db, clientId, code.gtin)
    const [one, other] = goods
    if (one === undefined) {
      const isOthers = (await goodsOfAnother(db, clientId, code.code)) !== undefined
      throw isOthers
        ? await otherClients(db, clientId, code.code)
        : invalidField('code', `у этого клиента нет товара с GTIN ${code.gtin}: чей это товар?`)
    }
    if (other !== undefined) throw ambiguous(one.barcode, other.barcode)
    return { kind: 'goods', ...one, newCode: code }
  }
  if (known.client_id !== clientId) throw await otherClients(db, clientId, code.code)
  if (known.state === 'stored') {
    throw conflict(
      'Единица с этим кодом маркировки уже на складе: проверьте, не отсканирована ли она раньше',
    )
  }
  if (known.state === 'picked' || known.order_id === null) {
    throw conflict(
      'Единица с этим кодом маркировки собрана в заказ и ещё не уехала: это не возврат, верните её на сборку',
    )
  }
  return { kind: 'order', orderId: known.order_id, barcode: known.barcode, identity }
}

/** An order whose number or label a code is. */
export interface NumberedOrder {
  readonly id: string
  readonly cabinet_id: string
  /** False: it has a label with this code. */
  readonly number: boolean
}

/** The orders with these numbers or labels, in any cabinet of their clients, for each code. */
export async function ordersByNumber(
  db: Queryable,
  asked: readonly AskedCode[],
): Promise<NumberedOrder[][]> {
  const codes = asked.map(({ clientId, code }, n) => ({
    n,
    client_id: clientId,
    code: code.trim(),
  }))
  const rows = await db<(NumberedOrder & { n: number })[]>`
    select q.n, x.*
    from jsonb_to_recordset(${db.json(codes)}) as q (n integer, client_id uuid, code text)
    cross join lateral (
      select o.id, o.cabinet_id, true as number
      from cabinets k join orders o on o.client_id = k.client_id and o.cabinet_id = k.id
      where k.client_id = q.client_id and o.external_id = q.code
      union all
      select o.id, o.cabinet_id, false
      from order_facts f join orders o on o.client_id = f.client_id and o.id = f.order_id
      where f.client_id = q.client_id and f.label_codes @> array[q.code]
      limit 50
    ) x`
  const found = Map.groupBy(rows, ({ n }) => n)
  return asked.map((_, n) => found.get(n) ?? [])
}

/** The order that a code means; undefined for none. Throws conflict for several. */
function orderAmong(
  orders: readonly NumberedOrder[],
  { code, cabinetId }: AskedCode,
): NamedUnit | undefined {
  const numbered = orders.filter(({ number }) => number)
  const named = numbered.length > 0 ? numbered : orders
  const ofCabinet = named.filter(({ cabinet_id }) => cabinet_id === cabinetId)
  const [orderId, other] = new Set((ofCabinet.length > 0 ? ofCabinet : named).map(({ id }) => id))
  if (orderId === undefined) return undefined
  if (other !== undefined) {
    throw conflict(
      `Заказ ${excerpt(code.trim())} есть в нескольких кабинетах клиента: отсканируйте штрихкод товара`,
    )
  }
  return { kind: 'order', orderId }
}

interface ExpectedUnit {
  readonly id: string
  readonly order_id: string | null
  readonly barcode: string | null
  readonly marked: boolean | null
}

/**
 * The unit of a marketplace's return that the code names: by its label or number, else the only one that can be fetched
 * with it.
 */
async function unitOfExpectedReturn(
  db: Queryable,
  clientId: string,
  code: string,
): Promise<NamedUnit | undefined> {
  const rows = await db<(ExpectedUnit & { fetched: boolean })[]>`
    select e.id, e.order_id, coalesce(l.barcode, g.barcodes[1]) as barcode, p.honest_mark as marked,
      y.giveout_code is not distinct from ${code} as fetched
    from expected_returns e
    left join cabinet_syncs y on y.client_id = e.client_id and y.cabinet_id = e.cabinet_id
    ${goodsOfExpected(db)}
    left join products p on p.client_id = e.client_id
      and p.barcode = coalesce(l.barcode, g.barcodes[1])
    where e.client_id = ${clientId} and (e.label_code = ${code} or e.external_id = ${code}
      or e.state = 'READY' and y.giveout_code = ${code} and e.units > (
        select count(*) from return_scans s
        where s.client_id = e.client_id and s.expected_return_id = e.id and s.undone_at is null))
    order by e.created_at limit 50`
  const named = rows.filter(({ fetched }) => !fetched)
  const [one, other] = named.length > 0 ? named : rows
  if (one === undefined) return undefined
  if (other !== undefined) {
    throw conflict(
      'По этому коду выдают несколько возвратов: отсканируйте этикетку или штрихкод каждой единицы',
    )
  }
  const { id: expectedReturnId, order_id: orderId, barcode, marked } = one
  if (orderId !== null) {
    return { kind: 'order', orderId, barcode: barcode ?? undefined, expectedReturnId }
  }
  if (barcode === null || marked === null) {
    throw conflict('Что это за товар, маркетплейс не сообщил: отсканируйте штрихкод товара')
  }
  return { kind: 'goods', barcode, marked, expectedReturnId }
}

/** The goods of an order or a card may have become another product since. */
async function asMerged(
  db: Queryable,
  clientId: string,
  unit: NamedUnit | undefined,
): Promise<NamedUnit | undefined> {
  if (unit?.barcode === undefined) return unit
  const merged = await mergedInto(db, clientId, [unit.barcode])
  return { ...unit, barcode: merged.get(unit.barcode) ?? unit.barcode }
}

async function unitOfMark(
  db: Queryable,
  clientId: string,
  code: string,
): Promise<NamedUnit | undefined> {
  for (const kind of ['imei', 'uin'] as const) {
    const mark = readMark(kind, code)
    if (!mark.ok) continue
    const [unit] = await db<{ client_id: string; order_id: string; scan_id: string }[]>`
      select client_id, order_id, scan_id from unit_marks
      where kind = ${kind} and value = ${mark.value}`
    if (unit === undefined) continue
    if (unit.client_id !== clientId) throw await otherClients(db, clientId, code)
    return { kind: 'order', orderId: unit.order_id, pickScanId: unit.scan_id }
  }
  return undefined
}

async function goodsOfBarcode(
  db: Queryable,
  clientId: string,
  code: string,
): Promise<NamedUnit | undefined> {
  const meant = await meantByScans(db, [{ clientId, text: code }])
  const barcode = readGoodsBarcode(meant(clientId, code))
  const goods = await goodsOf(db, clientId, spellingsOf(barcode))
  const [own, other] = matchingBarcodes(
    barcode,
    goods.map((one) => one.barcode),
  )
  if (own !== undefined && other !== undefined) throw ambiguous(own, other)
  const one = goods.find((each) => each.barcode === own)
  return one && { kind: 'goods', ...one }
}

interface Goods {
  readonly barcode: string
  /** Whether each unit has a marking code. */
  readonly marked: boolean
}

/** The goods with this GTIN, else those whose card has it. */
async function goodsOfGtin(db: Queryable, clientId: string, gtin: string): Promise<Goods[]> {
  const own = await goodsOf(db, clientId, barcodesOfGtin(gtin))
  return own.length > 0 ? own : goodsOf(db, clientId, await barcodesByCards(db, clientId, gtin))
}

function goodsOf(db: Queryable, clientId: string, barcodes: readonly string[]): Promise<Goods[]> {
  return db<Goods[]>`
    select barcode, coalesce(honest_mark, false) as marked from products
    where client_id = ${clientId} and barcode = any(${[...barcodes]}) and merged_into is null
    order by barcode`
}

function ambiguous(one: string, other: string): Error {
  return invalidField('code', `код подходит к товарам ${one} и ${other}, отсканируйте номер заказа`)
}

async function otherClients(db: Queryable, clientId: string, code: string): Promise<Error> {
  const goods = (await goodsOfAnother(db, clientId, code)) ?? 'Это товар другого клиента'
  return conflict(`${goods}: отложите и отсканируйте в приёме возвратов того клиента`)
}

async function unknownCode(db: Queryable, clientId: string, code: string): Promise<Error> {
  const [client] = await db<{ warehouse_code: string }[]>`
    select warehouse_code from clients where id = ${clientId}`
  const others = await clientsOfCode(db, code, [client?.warehouse_code ?? ''])
  if (others.some((id) => id !== clientId)) return otherClients(db, clientId, code)
  return invalidField(
    'code',
    `у этого клиента нет заказа, возврата или товара ${excerpt(code)}: проверьте, чей это товар`,
  )
}

/**
 * The live clients that a code may belong to, of some warehouses where codes are given: of a marking code, an order, a
 * return, a mark, a product.
 */
export async function clientsOfCode(
  db: Queryable,
  code: string,
  warehouses: readonly string[],
): Promise<string[]> {
  const seen = seenClients(db, warehouses)
  const marking = readMarkingCode(code)
  if (marking.ok) {
    const known = await findMarkingCode(db, marking.identity)
    return known === undefined
      ? clientsOfGoods(db, seen, barcodesOfGtin(marking.gtin))
      : idsOf(db<{ id: string }[]>`
          select c.id from clients c where c.id = ${known.client_id} and ${seen}`)
  }
  const text = code.trim()
  const ids = await idsOf(db<{ id: string }[]>`
    select c.id from clients c where ${seen} and (exists (
        select from cabinets k join orders o on o.client_id = k.client_id and o.cabinet_id = k.id
        where k.client_id = c.id and o.external_id = ${text}
      ) or exists (
        select from expected_returns e
        where e.client_id = c.id and (e.label_code = ${text} or e.external_id = ${text})
      ) or c.id in (
        select f.client_id from order_facts f where f.label_codes @> array[${text}]
      ) or c.id in (
        select y.client_id from cabinet_syncs y where y.giveout_code = ${text}
      ) or c.id in (
        select m.client_id from unit_marks m
        where m.kind in ('imei', 'uin') and m.value = ${text.replaceAll(/\s+/g, '')}))
    order by c.id limit 2`)
  return ids.length > 0 ? ids : clientsOfGoods(db, seen, spellingsOf(readGoodsBarcode(code)))
}

function clientsOfGoods(
  db: Queryable,
  seen: Fragment,
  barcodes: readonly string[],
): Promise<string[]> {
  return idsOf(db<{ id: string }[]>`
    select c.id from clients c where ${seen} and exists (
      select from products p where p.client_id = c.id and p.barcode = any(${[...barcodes]})
      union all
      select from barcode_aliases a where a.client_id = c.id and a.spelling = any(${[...barcodes]})
        and a.added is not null)
    order by c.id limit 2`)
}

async function idsOf(rows: PromiseLike<{ id: string }[]>): Promise<string[]> {
  return (await rows).map(({ id }) => id)
}
