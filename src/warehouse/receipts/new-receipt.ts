import type { SharedWork, Work } from '../../platform/db/work.ts'
import { cellPath } from '../../platform/kernel/column-letters.ts'
import {
  errorMessages,
  invalidField,
  invalidFields,
  notFound,
  ServiceError,
} from '../../platform/kernel/errors.ts'
import { barcodeProblemOf, firstPlaces } from '../../platform/kernel/goods-barcode.ts'
import { isId } from '../../platform/kernel/ids.ts'
import { readDateField } from '../../platform/kernel/time-field.ts'
import type { KnownProduct } from '../catalogue/product-lookup.ts'
import { countReceipts } from '../clients/counters.ts'
import { tell } from '../events/news.ts'
import { announceNewReceipts } from './announce.ts'
import { findReceipts } from './queries.ts'
import type { ReceiptStatus } from './state.ts'
import type { Receipt, ReceiptSource } from './view.ts'

/**
 * The rules of every new receipt, whether a seller requests it or a manager registers it, and how
 * it is written.
 */

/** Refuses what is no barcode, and a second line of the same goods. Throws validation_error. */
export function refuseWrongBarcodes(items: readonly { barcode: string }[]): void {
  const wrong = [...items.entries()].flatMap(([index, { barcode }]) => {
    const problem = barcodeProblemOf(barcode)
    return problem === undefined ? [] : [{ path: `items[${index}].barcode`, rule: problem }]
  })
  if (wrong.length > 0) throw invalidFields(wrong)
  const firstPlace = firstPlaces<number>()
  const repeated = [...items.entries()].flatMap(([index, { barcode }]) => {
    const first = firstPlace(barcode, index)
    if (first === index) return []
    return { path: `items[${index}].barcode`, rule: repeatedRule(barcode, items[first]?.barcode) }
  })
  if (repeated.length > 0) throw invalidFields(repeated)
}

/**
 * Refuses a second line of goods that have several barcodes. `own` has the barcode of the product of each line. Throws
 * validation_error.
 */
export function refuseSameGoods(
  items: readonly { readonly barcode: string; readonly row?: number }[],
  own: readonly string[],
): void {
  const repeated = items.flatMap(({ barcode, row }, index) => {
    const first = own.indexOf(own[index] ?? '')
    if (first === index) return []
    const rule = repeatedRule(barcode, items[first]?.barcode)
    return row === undefined
      ? [{ path: `items[${index}].barcode`, rule }]
      : [{ path: cellPath(row), rule, row }]
  })
  if (repeated.length === 0) return
  const rows = repeated.flatMap((each) =>
    'row' in each ? [`строка ${each.row}, столбец barcode (штрихкод): ${each.rule}`] : [],
  )
  const breaches = repeated.map(({ path, rule }) => ({ path, rule }))
  if (rows.length === 0) throw invalidFields(breaches)
  const problems = rows.slice(0, problemsMax).join('\n')
  throw new ServiceError('validation_error', `Файл не принят:\n${problems}`, { breaches })
}

function repeatedRule(barcode: string, first: string | undefined): string {
  return barcode === first
    ? `штрихкод ${barcode} уже есть в этой заявке`
    : `${barcode} — тот же товар, что ${first}, а он уже есть в этой заявке`
}

/** The Moscow date on which the goods are expected, YYYY-MM-DD. Throws validation_error. */
export function readPlannedDate(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readDateField('planned_date', text)
}

interface CabinetRules {
  /** Refuse a receipt that names no cabinet when the client has several. */
  readonly oneOfSeveralRequired: boolean
  /** What the caller reads about a cabinet that the client does not have. */
  readonly unknown: string
}

/**
 * The requested cabinet or the client's only one; undefined where the client has none, or several
 * of which the rules require none. Throws validation_error or cabinet_required.
 */
export function chooseCabinet(
  cabinets: readonly string[],
  requested: string | undefined,
  rules: CabinetRules,
): string | undefined {
  if (requested !== undefined) {
    if (cabinets.includes(requested)) return requested
    throw invalidField('cabinet_id', rules.unknown)
  }
  const [only, ...others] = cabinets
  if (others.length === 0) return only
  if (rules.oneOfSeveralRequired) throw new ServiceError('cabinet_required')
  return undefined
}

const staffRules = {
  oneOfSeveralRequired: false,
  unknown: 'у этого клиента нет такого кабинета',
}

/** The cabinet of a receipt that staff make. Throws not_found for an unknown client, or validation_error. */
export async function cabinetOfRegistration(
  work: Work,
  clientId: string,
  requested: string | undefined,
): Promise<string | undefined> {
  return chooseCabinet(await cabinetsOf(work, clientId), requested, staffRules)
}

export async function cabinetsOf(work: Work, clientId: string): Promise<readonly string[]> {
  const [client] = isId(clientId)
    ? await work.tx<{ cabinets: string[] }[]>`
        select array(select k.id from cabinets k where k.client_id = c.id) as cabinets
        from clients c where c.id = ${clientId}`
    : []
  if (client === undefined) throw notFound('Клиент не найден')
  return client.cabinets
}

/** A line as it is requested: a name and article that the service knows may be left out. */
interface UnnamedItem {
  readonly barcode: string
  readonly name?: string | undefined
  readonly article?: string | undefined
  /** The row of the file that the line comes from. */
  readonly row?: number
}

type NamedItem<Item> = Item & { readonly name: string; readonly article: string | null | undefined }

/** Problems that one message lists at most. */
const problemsMax = 50

/**
 * The lines with the barcodes, names and articles by which the service knows their goods; a name or article that the
 * line has stays. Throws validation_error for every line, or row of a file, without a known name.
 */
export function nameItems<Item extends UnnamedItem>(
  items: readonly Item[],
  products: ReadonlyMap<string, KnownProduct>,
): NamedItem<Item>[] {
  const completed = items.map((item) => {
    const { barcode = item.barcode, name, article } = products.get(item.barcode) ?? {}
    return { ...item, barcode, name: item.name ?? name, article: item.article ?? article }
  })
  refuseNameless(completed)
  return completed.map((item) => ({ ...item, name: item.name ?? '' }))
}

function refuseNameless(items: readonly Pick<UnnamedItem, 'barcode' | 'name' | 'row'>[]): void {
  const nameless = items.filter(({ name }) => name === undefined)
  const [first] = nameless
  if (first === undefined) return
  if (first.row === undefined) {
    throw invalidFields(
      nameless.map((item) => ({
        path: `items[${items.indexOf(item)}].name`,
        rule: namelessRule(item),
      })),
    )
  }
  const problems = nameless
    .slice(0, problemsMax)
    .map((item) => `строка ${item.row}, столбец name (название): ${namelessRule(item)}`)
  throw new ServiceError(
    'validation_error',
    `Файл не принят, строк без названия: ${nameless.length}:\n${problems.join('\n')}`,
    {
      breaches: nameless.map((item) => ({
        path: cellPath(item.row ?? 0),
        rule: namelessRule(item),
      })),
    },
  )
}

function namelessRule({ barcode }: Pick<UnnamedItem, 'barcode'>): string {
  return `товар ${barcode} складу ещё не известен, укажите название`
}

export interface NewReceiptItem {
  readonly barcode: string
  readonly name: string
  readonly article?: string | null | undefined
  readonly honestMark?: boolean | undefined
  readonly qty: number
}

export interface NewReceipt {
  readonly id: string
  readonly cabinetId?: string | undefined
  readonly status: ReceiptStatus
  /** Null only in receipts from before the source was recorded. */
  readonly source: ReceiptSource | null
  readonly externalRef?: string | undefined
  readonly comment?: string | undefined
  /** YYYY-MM-DD, Moscow. */
  readonly plannedDate?: string | undefined
  /** For a receipt without a document: the handheld's name of its opening. */
  readonly walkIn?: { readonly scanId: string | undefined }
  readonly items: readonly NewReceiptItem[]
}

type ListedReceipt = Pick<NewReceipt, 'id' | 'items'> & { readonly clientId: string }

/** Writes a receipt and its lines, with the next number of the client, and announces it. */
export async function insertReceipt(
  work: SharedWork,
  clientId: string,
  receipt: NewReceipt,
): Promise<void> {
  await insertReceipts(work, [{ ...receipt, clientId }])
}

/**
 * Writes receipts of one or several clients and their lines, with the next numbers of each client, and announces them.
 * Of several clients the caller holds the locks. Answers with the receipts as sellers see them, by id.
 */
export async function insertReceipts(
  work: SharedWork,
  receipts: readonly (NewReceipt & { readonly clientId: string })[],
): Promise<ReadonlyMap<string, Receipt>> {
  if (receipts.length === 0) return new Map()
  const { tx } = work
  const byClient = Map.groupBy(receipts, ({ clientId }) => clientId)
  const taken = new Map([...byClient].map(([clientId, own]) => [clientId, own.length]))
  const rows = [...byClient.values()].flatMap((own) => own.map(rowOf))
  const inserted = tx`
    with numbered as (${countReceipts(tx, taken)})
    insert into receipts (client_id, id, number, cabinet_id, status, announced_status, source,
      external_ref, comment, planned_date, expected_qty, created_at, walk_in, walk_in_scan)
    select r.client_id, r.id, 'R-' || lpad((n.before + r.nth)::text, greatest(6, length((n.before + r.nth)::text)), '0'),
      r.cabinet_id, r.status, r.status, r.source, r.external_ref, r.comment, r.planned_date, r.expected_qty, ${work.at},
      r.walk_in, r.walk_in_scan
    from jsonb_to_recordset(${tx.json(rows)}) as r (client_id uuid, id uuid, nth integer, cabinet_id uuid,
      status text, source text, external_ref text, comment text, planned_date date, expected_qty bigint,
      walk_in boolean, walk_in_scan text)
    join numbered n on n.client_id = r.client_id`
  const listed = insertReceiptLines(work, receipts)
  // Statements run in the order in which they are asked for.
  const writing = Promise.all([inserted, listed])
  const written = findReceipts(tx, receipts)
  const announced = [...byClient].map(([clientId, own]) =>
    announceNewReceipts(work, clientId, async () => {
      const known = await written
      return own.map(({ id }) => known.get(id)).filter((receipt) => receipt !== undefined)
    }),
  )
  const [, known] = await Promise.all([writing, written, ...announced])
  await tell(
    work,
    [...byClient].flatMap(([clientId, own]) => newsOfRequests(clientId, own, known)),
  )
  const lost = receipts.find(({ id }) => !known.has(id))
  if (lost !== undefined) throw new Error(`receipt ${lost.id} vanished in its own transaction`)
  return known
}

/** Writes the lines of receipts. */
export function insertReceiptLines({ tx }: SharedWork, receipts: readonly ListedReceipt[]) {
  return tx`
    insert into receipt_items
      (client_id, receipt_id, barcode, line, name, article, honest_mark, expected_qty)
    select i.* from jsonb_to_recordset(${tx.json(receipts.flatMap(linesOf))}) as i
      (client_id uuid, receipt_id uuid, barcode text, line integer, name text, article text,
        honest_mark boolean, expected_qty bigint)`
}

/** A manager confirms what a seller announced. */
function newsOfRequests(
  clientId: string,
  own: readonly NewReceipt[],
  known: ReadonlyMap<string, Receipt>,
) {
  return own
    .filter(({ status }) => status === 'PENDING_CONFIRMATION')
    .map(({ id }) => {
      const subject = known.get(id)?.number ?? ''
      return { clientId, kind: 'receipt_to_confirm', key: id, objectId: id, subject } as const
    })
}

function rowOf(receipt: NewReceipt & { readonly clientId: string }, index: number) {
  return {
    client_id: receipt.clientId,
    id: receipt.id,
    nth: index + 1,
    cabinet_id: receipt.cabinetId,
    status: receipt.status,
    source: receipt.source,
    external_ref: receipt.externalRef,
    comment: receipt.comment,
    planned_date: receipt.plannedDate,
    expected_qty: receipt.items.reduce((sum, item) => sum + item.qty, 0),
    walk_in: receipt.walkIn !== undefined,
    walk_in_scan: receipt.walkIn?.scanId,
  }
}

function linesOf({ clientId, id, items }: ListedReceipt) {
  return items.map((item, index) => ({
    client_id: clientId,
    receipt_id: id,
    barcode: item.barcode,
    line: index + 1,
    name: item.name,
    article: item.article,
    honest_mark: item.honestMark,
    expected_qty: item.qty,
  }))
}

/** Of a seller's request. */
export const requestedCabinet = {
  oneOfSeveralRequired: true,
  unknown: 'такого кабинета нет, возьмите id из GET /v1/me',
}

/** Marked and unmarked goods are counted differently, so one request has one kind of them. */
export function refuseMixedMarking(items: readonly { honest_mark: boolean }[]): void {
  const marked = linesWith(items, true)
  const plain = linesWith(items, false)
  if (marked === '' || plain === '') return
  throw new ServiceError(
    'mixed_marking',
    `${errorMessages.mixed_marking}: honest_mark true — ${marked}; false — ${plain}`,
  )
}

/** Lines that a message names at most. */
const namedLinesMax = 10

function linesWith(items: readonly { honest_mark: boolean }[], honestMark: boolean): string {
  const lines = [...items.entries()].filter(([, item]) => item.honest_mark === honestMark)
  const named = lines.slice(0, namedLinesMax).map(([index]) => `items[${index}]`)
  const others = lines.length - named.length
  return others === 0 ? named.join(', ') : `${named.join(', ')} и ещё ${others}`
}
