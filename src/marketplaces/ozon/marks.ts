import { contradicts, gtinOf } from '../../kernel/gs1.ts'
import {
  type Fields,
  flagOf,
  itemsOf,
  listOf,
  listOrNone,
  textOf,
  textOrNone,
  textsOf,
} from '../calls/answer.ts'
import { isRejected, passing, unlessMissing } from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'
import { numberOf, type OzonClient } from './client.ts'
import { undeclared } from './declarations.ts'
import { refused, says } from './refusal.ts'
import { wasPacked } from './status.ts'
import { seen } from './waiting.ts'

/**
 * Marking codes of a posting. OZON keeps them by exemplar, that is unit, of a product, takes all data
 * of all exemplars anew with each change, and checks the codes some time after it has answered.
 *
 * The warehouse scans codes of goods of which OZON may not want any: those are passed over. Where it
 * takes them and does not need them, a refusal holds nothing up.
 */

const mandatory = 'mandatory_mark'

export async function attachMarks(
  client: OzonClient,
  time: Time,
  number: string,
  codes: readonly string[],
): Promise<void> {
  try {
    await attach(client, time, number, codes)
  } catch (error) {
    // OZON takes codes, and tells of them, until a posting is packed; and packs none without them.
    const isTold = isRejected(error) && error.status !== undefined
    if (!isTold || !wasPacked(textOf(await client.posting(number), 'status'))) throw error
  }
}

async function attach(
  client: OzonClient,
  time: Time,
  number: string,
  codes: readonly string[],
): Promise<void> {
  const told = await unlessDefined(unlessMissing(client.exemplars(number)))
  // Where OZON takes no codes, it has them, does without or refuses the order itself.
  if (told === undefined) return
  const products = listOf(told, 'products')
  const needed = products.filter((product) => flagOf(product, 'is_mandatory_mark_needed'))
  const possible = products.filter((product) => flagOf(product, 'is_mandatory_mark_possible'))
  const marked = new Set([...needed, ...possible].map(skuOf))
  if (marked.size === 0) return
  try {
    const shares = await shareOut(client, products, marked, codes)
    if (!hold(products, shares)) await unlessDefined(setMarks(client, number, products, shares))
    await seen(
      time,
      async () => (await areAccepted(client, number, products)) || undefined,
      passing(`OZON ещё проверяет коды маркировки заказа ${number}`),
    )
  } catch (error) {
    if (needed.length > 0 || !isRejected(error)) throw error
  }
}

/** Undefined where OZON has all that there is to say. */
async function unlessDefined<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isRejected(error) && says(error, /EXEMPLAR_INFO_ALREADY_DEFINED/)) return undefined
    throw error
  })
}

function skuOf(product: Fields): string {
  return textOf(product, 'product_id')
}

function marksIn(exemplar: Fields): { mark: string; type: string }[] {
  return listOrNone(exemplar, 'marks').map((mark) => ({
    mark: textOf(mark, 'mark'),
    type: textOrNone(mark, 'mark_type') ?? mandatory,
  }))
}

/** Codes by the goods that they are of. */
type Shares = ReadonlyMap<string, readonly string[]>

/**
 * A code tells its goods by GTIN, which is one of the barcodes of the product's card. Goods that have
 * none of their own get what is left, where it can be no other's.
 */
async function shareOut(
  client: OzonClient,
  products: readonly Fields[],
  marked: ReadonlySet<string>,
  codes: readonly string[],
): Promise<Shares> {
  const skus = products.map(skuOf)
  const [only] = skus
  if (only !== undefined && skus.length === 1) return new Map([[only, codes]])
  const { items } = await client.productInfos('sku', skus)
  const goods = items.map((item) => ({
    sku: textOf(item, 'sku'),
    barcodes: textsOf(item, 'barcodes'),
  }))
  const shares = Map.groupBy(codes, (code) => {
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
    throw refused(
      'По коду маркировки не видно, какого товара он: сверьте штрихкоды товаров на OZON',
    )
  })
  return new Map([...shares].filter(([sku]) => marked.has(sku)))
}

function hold(products: readonly Fields[], shares: Shares): boolean {
  return products.every((product) => {
    const held = listOrNone(product, 'exemplars')
      .flatMap(marksIn)
      .flatMap(({ mark, type }) => (type === mandatory ? mark : []))
    const wanted = shares.get(skuOf(product)) ?? []
    return new Set(held).symmetricDifference(new Set(wanted)).size === 0
  })
}

/** All products with all that is known of their exemplars, and the codes of each. */
async function setMarks(
  client: OzonClient,
  number: string,
  products: readonly Fields[],
  shares: Shares,
): Promise<void> {
  const shown = products.map((product) => {
    const left = [...(shares.get(skuOf(product)) ?? [])]
    const exemplars = listOf(product, 'exemplars').map((exemplar) => {
      const others = marksIn(exemplar).filter(({ type }) => type !== mandatory)
      const [mark] = left.splice(0, 1)
      const marks = [...others, ...(mark === undefined ? [] : [{ mark, type: mandatory }])]
      return shownExemplar(exemplar, marks)
    })
    if (left.length > 0) throw refused(`Кодов маркировки больше, чем единиц в заказе ${number}`)
    return { product_id: numberOf(skuOf(product)), exemplars }
  })
  await client.setExemplars(number, { products: shown })
}

const kept = ['gtd', 'is_gtd_absent', 'rnpt', 'is_rnpt_absent', 'weight'] as const

function shownExemplar(exemplar: Fields, marks: readonly { mark: string; type: string }[]): Fields {
  const known = kept.flatMap((name) => (exemplar[name] == null ? [] : [[name, exemplar[name]]]))
  return {
    ...Object.fromEntries(known),
    exemplar_id: numberOf(textOf(exemplar, 'exemplar_id')),
    marks: marks.map(({ mark, type }) => ({ mark, mark_type: type })),
  }
}

/** Throws where OZON has refused a code, or wants more than codes; false while it is still at it. */
async function areAccepted(
  client: OzonClient,
  number: string,
  products: readonly Fields[],
): Promise<boolean> {
  const status = await client.exemplarsStatus(number)
  const state = textOf(status, 'status')
  if (state === 'validation_in_process') return false
  const marks = listOrNone(status, 'products')
    .flatMap((product) => listOrNone(product, 'exemplars'))
    .flatMap((exemplar) => listOrNone(exemplar, 'marks'))
  const errors = marks.flatMap((mark) =>
    Array.isArray(mark.error_codes) ? itemsOf(mark, 'error_codes').map(String) : [],
  )
  const failed = marks.some((mark) => textOrNone(mark, 'check_status') === 'failed')
  const isGood = errors.length === 0 && !failed
  if (isGood && state !== 'ship_not_available') return true
  const missing = isGood ? undeclared(number, products) : undefined
  if (missing !== undefined) throw missing
  const why = errors.length === 0 ? '' : `: ${[...new Set(errors)].slice(0, 5).join(', ')}`
  throw refused(`OZON не принял коды маркировки заказа ${number}${why}`, errors[0])
}
