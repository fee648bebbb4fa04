import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf, filtersAnything, havingWords } from '../../platform/db/lists/filter.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { foldCase, searchForms } from '../../platform/kernel/case-folding.ts'
import {
  matchingBarcodes,
  readGoodsBarcode,
  spellingsOf,
} from '../../platform/kernel/codes/goods-barcode.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment } from '../../platform/kernel/schema.ts'
import { nameCardPictures } from './card-pictures.ts'
import { keepFromMerging } from './merged-products.ts'
import { meantByScans, otherBarcodes } from './other-barcodes.ts'
import { pictureOfGoods } from './pictures.ts'
import { fieldsOfSets } from './set-fields.ts'

/** Products: what a client stores, by barcode. This file writes them, and merged-products.ts marks those that became others. */

export interface NewProduct {
  readonly barcode: string
  readonly name: string
  readonly article?: string | null | undefined
  readonly honestMark?: boolean | undefined
}

/**
 * A session that planned the check of a reference while there were a few products reads all of them for each row: ten thousand new
 * balances took six seconds. It plans anew after so many new products, because statistics of them come a minute later.
 */
const manyProducts = 500

/** The client's barcode for one that was written: that of its product, under whichever spelling. */
export type StoredBarcode = (written: string) => string

export interface InsertedProducts {
  /** The barcodes of the new ones. */
  readonly created: readonly string[]
  readonly storedAs: StoredBarcode
}

/**
 * Inserts products that the client does not have yet, under any spelling; known ones stay as they are. Called by
 * `registerProducts` of stock alone, which opens their balances.
 */
export async function insertProducts(
  work: SharedWork,
  clientId: string,
  drafts: readonly NewProduct[],
): Promise<InsertedProducts> {
  const barcodes = drafts.map(({ barcode }) => barcode)
  await claimSpellings(work, clientId, barcodes)
  const storedAs = await storedBarcodes(work.tx, clientId, barcodes)
  await keepFromMerging(work, clientId, barcodes.map(storedAs))
  const rows = drafts
    .filter(({ barcode }) => storedAs(barcode) === barcode)
    .map((draft) => ({
      barcode: draft.barcode,
      name: draft.name,
      article: draft.article ?? null,
      honest_mark: draft.honestMark ?? false,
      name_folded: foldCase(draft.name),
      article_folded: draft.article == null ? null : foldCase(draft.article),
    }))
  const inserted = await work.tx<{ barcode: string }[]>`
    insert into products
      (client_id, barcode, name, article, honest_mark, name_folded, article_folded, created_at)
    select ${clientId}, p.*, ${work.at}
    from jsonb_to_recordset(${work.tx.json(rows)}) as p
      (barcode text, name text, article text, honest_mark boolean, name_folded text, article_folded text)
    order by p.barcode collate "C"
    on conflict do nothing
    returning barcode`
  const created = inserted.map(({ barcode }) => barcode)
  if (created.length >= manyProducts) await work.tx`discard plans`
  if (created.length > 0) await nameCardPictures(work, clientId, created)
  return { created, storedAs }
}

/**
 * Two transactions may add one GTIN in two spellings, or add goods while their barcode is given to other goods. Then
 * one waits here for the other, and finds its product.
 */
async function claimSpellings(
  { tx }: SharedWork,
  clientId: string,
  barcodes: readonly string[],
): Promise<void> {
  await tx`
    insert into barcode_aliases (client_id, spelling, barcode)
    select ${clientId}, s.spelling, w.barcode
    from unnest(${[...barcodes]}::text[]) with ordinality w (barcode, at)
    cross join lateral (select w.barcode union select gtin_spellings(w.barcode)) s (spelling)
    order by s.spelling collate "C", w.at
    on conflict do nothing`
}

/** The client's own barcodes of goods that are written in any spelling; the exact one goes first. */
export async function storedBarcodes(
  db: Queryable,
  clientId: string,
  written: readonly string[],
): Promise<StoredBarcode> {
  const rows = await db<{ spelling: string; barcode: string }[]>`
    select a.spelling, a.barcode from barcode_aliases a
    where a.client_id = ${clientId} and a.spelling = any(${[...written]}) and a.barcode <> a.spelling
      and not exists (
        select from products p
        where p.client_id = a.client_id and p.barcode = a.spelling and p.merged_into is null)`
  const stored = new Map(rows.map(({ spelling, barcode }) => [spelling, barcode]))
  return (barcode) => stored.get(barcode) ?? barcode
}

/** The own barcodes of goods that the client has, by those that were written in any spelling; undefined for other goods. */
export async function knownBarcodes(
  db: Queryable,
  clientId: string,
  written: readonly string[],
): Promise<(barcode: string) => string | undefined> {
  const stored = await storedBarcodes(db, clientId, written)
  const rows = await db<{ barcode: string }[]>`
    select barcode from products where client_id = ${clientId} and barcode = any(${written.map(stored)})`
  const known = new Set(rows.map(({ barcode }) => barcode))
  return (barcode) => {
    const own = stored(barcode)
    return known.has(own) ? own : undefined
  }
}

/**
 * Changes a known product to the draft: without an article it has none; without honestMark that stays.
 * Returns false where nothing differs.
 */
export async function updateProduct(
  work: Work,
  clientId: string,
  draft: NewProduct,
): Promise<boolean> {
  const { tx } = work
  const article = draft.article ?? null
  const changed = await tx`
    update products set name = ${draft.name}, name_folded = ${foldCase(draft.name)},
      article = ${article}, article_folded = ${article === null ? null : foldCase(article)},
      honest_mark = coalesce(${draft.honestMark ?? null}, honest_mark)
    where client_id = ${clientId} and barcode = ${draft.barcode}
      and (name, article, honest_mark) is distinct from
        (${draft.name}, ${article}::text, coalesce(${draft.honestMark ?? null}, honest_mark))
    returning barcode`
  return changed.length > 0
}

/** The barcode of the client's product that a scan names; the scan itself where it names none. */
export async function productOfScan(
  db: Queryable,
  clientId: string,
  text: string,
): Promise<string> {
  return (await knownProductOfScan(db, clientId, text)) ?? text
}

/** The barcode of the client's product that a scan names; undefined where it names none, or several. */
export async function knownProductOfScan(
  db: Queryable,
  clientId: string,
  text: string,
): Promise<string | undefined> {
  return (await knownProductsOfScans(db, clientId, [text])).get(text)
}

/** The same for many scans, by what was scanned, in one statement. */
export async function knownProductsOfScans(
  db: Queryable,
  clientId: string,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const scans = texts.map((text) => ({ text, scanned: readGoodsBarcode(text) }))
  const spellings = [...new Set(scans.flatMap(({ scanned }) => spellingsOf(scanned)))]
  const rows = await db<{ barcode: string }[]>`
    select barcode from products
    where client_id = ${clientId} and barcode = any(${spellings}) and merged_into is null`
  const known = rows.map((row) => row.barcode)
  const meant = await meantByScans(
    db,
    scans.map(({ text }) => ({ clientId, text })),
  )
  const named = scans.flatMap(({ text, scanned }) => {
    const added = meant(clientId, text)
    const [barcode, ...others] = added === text ? matchingBarcodes(scanned, known) : [added]
    return barcode === undefined || others.length > 0 ? [] : [[text, barcode] as const]
  })
  return new Map(named)
}

export const Product = Type.Object(
  {
    client_id: Type.String({ description: 'Клиент.' }),
    barcode: Type.String({ description: 'Штрихкод: у клиента свой у каждого товара.' }),
    article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
    name: Type.String({ description: 'Название.' }),
    honest_mark: Type.Boolean({ description: 'Подлежит ли обязательной маркировке.' }),
    created_at: moment('Когда товар стал известен складу.'),
    merged_into: Type.Optional(
      Type.String({
        description:
          'Штрихкод товара, с которым этот объединили: дальше всё у того; если не объединяли, поля нет.',
      }),
    ),
    other_barcodes: otherBarcodes,
    picture: pictureOfGoods,
    picture_uploaded: Type.Optional(
      Type.Boolean({
        description:
          'true: картинку загрузил склад, и она важнее той, что на карточке; иначе поля нет.',
      }),
    ),
    ...fieldsOfSets,
  },
  { $id: 'Product', description: 'Товар клиента.' },
)
export type Product = Static<typeof Product>

interface ProductRow
  extends Omit<
    Product,
    | 'article'
    | 'merged_into'
    | 'other_barcodes'
    | 'picture'
    | 'picture_uploaded'
    | 'parts'
    | 'parts_allow'
  > {
  article: string | null
  merged_into: string | null
  created_at: Timestamp
}

export interface ProductFilter {
  readonly barcode: string | undefined
  /** Part of a name or an article, in any letter case, with е for ё; white space alone filters nothing. */
  readonly search: string | undefined
  /** Words of a name, an article or a barcode, as the pages search: see havingWords. */
  readonly words?: string | undefined
  /** Whether somebody measured it, for any day. */
  readonly measured?: 'true' | 'false' | undefined
}

/** The filter without a search for white space alone. */
export function meantFilter<Filter extends ProductFilter>(filter: Filter): Filter {
  const { search, words } = filter
  return { ...filter, search: search?.trim() || undefined, words: words?.trim() || undefined }
}

/** The conditions of the filter on products p; merged ones are left out. */
export function matchingProducts(db: Queryable, clientId: string, filter: ProductFilter) {
  return db`p.client_id = ${clientId} and p.merged_into is null ${conditionsOf(
    db,
    meantFilter(filter),
    {
      barcode: (barcode) => db`p.barcode = ${barcode}`,
      search: (text) => {
        const forms = [...searchForms(text)]
        return db`exists (
        select from unnest(${forms}::text[]) s
        where strpos(p.name_folded, s) > 0 or strpos(p.article_folded, s) > 0)`
      },
      words: (text) => goodsWithWords(db, text),
      measured: (measured) => db`${measured === 'true'} = exists (
      select from product_measures m where m.client_id = p.client_id and m.barcode = p.barcode)`,
    },
  )}`
}

/** The condition that products p have each word of the text in their name, article or barcode. */
export function goodsWithWords(db: Queryable, text: string) {
  const folded = db`concat_ws(' ', p.name_folded, p.article_folded, lower(p.barcode))`
  return db`(p.barcode = ${text.trim()} or ${havingWords(db, text, folded)})`
}

/** A query for how many products match. All of a client are counted where they are written. */
export function countOfProducts(db: Queryable, clientId: string, filter: ProductFilter) {
  return filtersAnything(meantFilter(filter))
    ? db`select count(*) from products p where ${matchingProducts(db, clientId, filter)}`
    : db`select coalesce(sum(v.products), 0)::bigint from stock_versions v where v.client_id = ${clientId}`
}

/** Lists products by barcode, in byte order. */
export async function listProducts(
  db: Database,
  clientId: string,
  filter: ProductFilter,
  page: PageRequest,
): Promise<Page<Product>> {
  const total = countOfProducts(db, clientId, filter)
  const rows = await db<(ProductRow & { total: number })[]>`
    select p.client_id, p.barcode, p.article, p.name, p.honest_mark, p.created_at, p.merged_into, ${totalFor(db, total, page)} as total
    from products p where ${matchingProducts(db, clientId, filter)}
      ${page.after === undefined ? db`` : db`and p.barcode > ${String(page.after[0])}`}
    order by p.barcode limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: productView,
    position: (row) => [row.barcode],
    count: () => countOf(db, total),
  })
}

export async function findProduct(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<Product | undefined> {
  const [row] = await db<ProductRow[]>`
    select client_id, barcode, article, name, honest_mark, created_at, merged_into from products
    where client_id = ${clientId} and barcode = ${barcode}`
  return row === undefined ? undefined : productView(row)
}

function productView(row: ProductRow): Product {
  return {
    client_id: row.client_id,
    barcode: row.barcode,
    ...(row.article === null ? {} : { article: row.article }),
    name: row.name,
    honest_mark: row.honest_mark,
    created_at: row.created_at,
    ...(row.merged_into === null ? {} : { merged_into: row.merged_into }),
  }
}

/** What labels show of products: those of the barcodes that the client has. */
export interface LabelledProduct {
  readonly barcode: string
  readonly name: string
  readonly article: string | undefined
}

export async function productsByBarcode(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<ReadonlyMap<string, LabelledProduct>> {
  const rows = await db<{ barcode: string; name: string; article: string | null }[]>`
    select barcode, name, article from products
    where client_id = ${clientId} and barcode = any(${[...barcodes]})`
  return new Map(
    rows.map((row) => [row.barcode, { ...row, article: row.article ?? undefined }] as const),
  )
}
