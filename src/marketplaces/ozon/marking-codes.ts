import { contradicts, gtinOf } from '../../kernel/gs1.ts'
import { isRejected, rejection, temporaryFailure, unlessMissing } from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'
import {
  type Fields,
  flagOf,
  itemsOf,
  listOf,
  listOrNone,
  textOf,
  textOrNone,
  textsOf,
} from '../calls/response-fields.ts'
import { type OzonClient, ozonId } from './client.ts'
import { missingDeclaration } from './declarations.ts'
import { namesError } from './errors.ts'
import { pollUntil } from './polling.ts'
import { wasPacked } from './status.ts'

/**
 * Attaches marking codes to a posting. OZON stores codes by exemplar, that is by unit of a product.
 * Each change sends all data of all exemplars, and OZON checks the codes some time after its
 * response.
 *
 * The warehouse may scan codes of goods for which OZON wants none: these are skipped. If OZON takes
 * codes but does not need them, a refusal is no failure.
 */

const mandatory = 'mandatory_mark'

export async function attachCodesToPosting(
  client: OzonClient,
  time: Time,
  number: string,
  codes: readonly string[],
): Promise<void> {
  try {
    await attach(client, time, number, codes)
  } catch (error) {
    // OZON takes and reports codes until a posting is packed, and packs no posting that lacks them.
    const isRemote = isRejected(error) && error.status !== undefined
    if (!isRemote || !wasPacked(textOf(await client.posting(number), 'status'))) throw error
  }
}

async function attach(
  client: OzonClient,
  time: Time,
  number: string,
  codes: readonly string[],
): Promise<void> {
  const response = await unlessDefined(unlessMissing(client.exemplars(number)))
  // OZON takes no codes: it has them, needs none, or refuses the order itself later.
  if (response === undefined) return
  const products = listOf(response, 'products')
  const needed = products.filter((product) => flagOf(product, 'is_mandatory_mark_needed'))
  const possible = products.filter((product) => flagOf(product, 'is_mandatory_mark_possible'))
  const marked = new Set([...needed, ...possible].map(skuOf))
  if (marked.size === 0) return
  try {
    const assigned = await assignCodes(client, products, marked, codes)
    if (!haveCodes(products, assigned)) {
      await unlessDefined(setCodes(client, number, products, assigned))
    }
    await pollUntil(
      time,
      async () => (await areAccepted(client, number, products)) || undefined,
      () => temporaryFailure(`OZON ещё проверяет коды маркировки заказа ${number}`),
    )
  } catch (error) {
    if (needed.length > 0 || !isRejected(error)) throw error
  }
}

/** Undefined if OZON says that it has the codes already. */
async function unlessDefined<T>(response: Promise<T>): Promise<T | undefined> {
  return response.catch((error: unknown) => {
    if (isRejected(error) && namesError(error, /EXEMPLAR_INFO_ALREADY_DEFINED/)) return undefined
    throw error
  })
}

function skuOf(product: Fields): string {
  return textOf(product, 'product_id')
}

interface TypedCode {
  readonly code: string
  readonly type: string
}

function codesIn(exemplar: Fields): TypedCode[] {
  return listOrNone(exemplar, 'marks').map((fields) => ({
    code: textOf(fields, 'mark'),
    type: textOrNone(fields, 'mark_type') ?? mandatory,
  }))
}

/** Marking codes by sku. */
type CodesBySku = ReadonlyMap<string, readonly string[]>

/**
 * Assigns each code to the product whose card has the code's GTIN as a barcode. A code that no
 * barcode names goes to the only marked product that its GTIN does not contradict.
 */
async function assignCodes(
  client: OzonClient,
  products: readonly Fields[],
  marked: ReadonlySet<string>,
  codes: readonly string[],
): Promise<CodesBySku> {
  const skus = products.map(skuOf)
  const [only] = skus
  if (only !== undefined && skus.length === 1) return new Map([[only, codes]])
  const { items } = await client.productInfos('sku', skus)
  const goods = items.map((item) => ({
    sku: textOf(item, 'sku'),
    barcodes: textsOf(item, 'barcodes'),
  }))
  const assigned = Map.groupBy(codes, (code) => {
    const gtin = /^(?:01)?(\d{14})/.exec(code)?.[1] ?? ''
    const named = goods.filter(({ barcodes }) =>
      barcodes.some((barcode) => gtinOf(barcode) === gtin),
    )
    const possible = goods.filter(
      ({ sku, barcodes }) =>
        marked.has(sku) && !barcodes.some((barcode) => contradicts(gtin, barcode)),
    )
    const [found, other] = named.length > 0 ? named : possible
    if (found !== undefined && other === undefined) return found.sku
    throw rejection(
      'По коду маркировки не видно, какого товара он: сверьте штрихкоды товаров на OZON',
    )
  })
  return new Map([...assigned].filter(([sku]) => marked.has(sku)))
}

function haveCodes(products: readonly Fields[], assigned: CodesBySku): boolean {
  return products.every((product) => {
    const held = listOrNone(product, 'exemplars')
      .flatMap(codesIn)
      .flatMap(({ code, type }) => (type === mandatory ? code : []))
    const wanted = assigned.get(skuOf(product)) ?? []
    return new Set(held).symmetricDifference(new Set(wanted)).size === 0
  })
}

/** Sends all products with all known data of their exemplars, and the codes. */
async function setCodes(
  client: OzonClient,
  number: string,
  products: readonly Fields[],
  assigned: CodesBySku,
): Promise<void> {
  const sent = products.map((product) => {
    const remaining = [...(assigned.get(skuOf(product)) ?? [])]
    const exemplars = listOf(product, 'exemplars').map((exemplar) => {
      const others = codesIn(exemplar).filter(({ type }) => type !== mandatory)
      const [code] = remaining.splice(0, 1)
      const typed = [...others, ...(code === undefined ? [] : [{ code, type: mandatory }])]
      return exemplarWith(exemplar, typed)
    })
    if (remaining.length > 0)
      throw rejection(`Кодов маркировки больше, чем единиц в заказе ${number}`)
    return { product_id: ozonId(skuOf(product)), exemplars }
  })
  await client.setExemplars(number, { products: sent })
}

const keptFields = ['gtd', 'is_gtd_absent', 'rnpt', 'is_rnpt_absent', 'weight'] as const

function exemplarWith(exemplar: Fields, codes: readonly TypedCode[]): Fields {
  const known = keptFields.flatMap((name) =>
    exemplar[name] == null ? [] : [[name, exemplar[name]]],
  )
  return {
    ...Object.fromEntries(known),
    exemplar_id: ozonId(textOf(exemplar, 'exemplar_id')),
    marks: codes.map(({ code, type }) => ({ mark: code, mark_type: type })),
  }
}

/**
 * False while OZON is checking. Throws if OZON refused a code, or requires a declaration as well.
 */
async function areAccepted(
  client: OzonClient,
  number: string,
  products: readonly Fields[],
): Promise<boolean> {
  const status = await client.exemplarsStatus(number)
  const state = textOf(status, 'status')
  if (state === 'validation_in_process') return false
  const checked = listOrNone(status, 'products')
    .flatMap((product) => listOrNone(product, 'exemplars'))
    .flatMap((exemplar) => listOrNone(exemplar, 'marks'))
  const errors = checked.flatMap((code) =>
    Array.isArray(code.error_codes) ? itemsOf(code, 'error_codes').map(String) : [],
  )
  const failed = checked.some((code) => textOrNone(code, 'check_status') === 'failed')
  const isGood = errors.length === 0 && !failed
  if (isGood && state !== 'ship_not_available') return true
  const missing = isGood ? missingDeclaration(number, products) : undefined
  if (missing !== undefined) throw missing
  const why = errors.length === 0 ? '' : `: ${[...new Set(errors)].slice(0, 5).join(', ')}`
  throw rejection(`OZON не принял коды маркировки заказа ${number}${why}`, errors[0])
}
