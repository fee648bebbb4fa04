import type { KnownProduct } from '../catalogue/product-lookup.ts'
import { countReceipt } from '../clients/counters.ts'
import type { Work } from '../db/work.ts'
import { invalidField, invalidFields, notFound, ServiceError } from '../kernel/errors.ts'
import { firstPlaces } from '../kernel/goods-barcode.ts'
import { isId } from '../kernel/ids.ts'
import { readDateField } from '../kernel/time-field.ts'
import { announceReceipt } from './announce.ts'
import type { ReceiptStatus } from './state.ts'
import type { ReceiptSource } from './view.ts'

/**
 * The rules of every new receipt, whether a seller requests it or a manager registers it, and how
 * it is written.
 */

/** Each barcode has one line: refuses further lines of a barcode. Throws validation_error. */
export function refuseRepeatedBarcodes(items: readonly { barcode: string }[]): void {
  const firstPlace = firstPlaces<number>()
  const repeated = [...items.entries()].filter(
    ([index, { barcode }]) => firstPlace(barcode, index) !== index,
  )
  if (repeated.length === 0) return
  throw invalidFields(
    repeated.map(([index, { barcode }]) => ({
      path: `items[${index}].barcode`,
      rule: `штрихкод ${barcode} уже есть в этой заявке`,
    })),
  )
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
 * The lines with the names and articles that they leave out. Throws validation_error where a name
 * is unknown: for every such line, or row of a file.
 */
export function nameItems<Item extends UnnamedItem>(
  items: readonly Item[],
  products: ReadonlyMap<string, KnownProduct>,
): NamedItem<Item>[] {
  const completed = items.map((item) => {
    const { name, article } = products.get(item.barcode) ?? {}
    return { ...item, name: item.name ?? name, article: item.article ?? article }
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

/** Writes a receipt and its lines, with the next number of the client, and announces it. */
export async function insertReceipt(
  work: Work,
  clientId: string,
  receipt: NewReceipt,
): Promise<void> {
  const { tx } = work
  const lines = receipt.items.map((item, index) => ({
    barcode: item.barcode,
    line: index + 1,
    name: item.name,
    article: item.article ?? null,
    honest_mark: item.honestMark ?? null,
    expected_qty: item.qty,
  }))
  const expected = receipt.items.reduce((sum, item) => sum + item.qty, 0)
  await tx`
    with numbered as (${countReceipt(tx, clientId)})
    insert into receipts (client_id, id, number, cabinet_id, status, source, external_ref, comment,
      planned_date, expected_qty, created_at, walk_in, walk_in_scan)
    select ${clientId}, ${receipt.id}, 'R-' || lpad(receipts::text, greatest(6, length(receipts::text)), '0'),
      ${receipt.cabinetId ?? null}, ${receipt.status}, ${receipt.source},
      ${receipt.externalRef ?? null}, ${receipt.comment ?? null}, ${receipt.plannedDate ?? null},
      ${expected}, ${work.at}, ${receipt.walkIn !== undefined}, ${receipt.walkIn?.scanId ?? null}
    from numbered`
  await tx`
    insert into receipt_items
      (client_id, receipt_id, barcode, line, name, article, honest_mark, expected_qty)
    select ${clientId}, ${receipt.id}, i.*
    from jsonb_to_recordset(${tx.json(lines)}) as i
      (barcode text, line integer, name text, article text, honest_mark boolean, expected_qty bigint)`
  await announceReceipt(work, clientId, receipt.id, null)
}
