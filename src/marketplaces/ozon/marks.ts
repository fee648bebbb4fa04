import { gtinOf } from '../../kernel/gs1.ts'
import { type Fields, flagOf, itemsOf, listOf, listOrNone, textOf, textOrNone } from '../answer.ts'
import type { Time } from '../limits.ts'
import { numberOf, type OzonClient } from './client.ts'
import { barcodesOf } from './mapper.ts'
import { refused } from './refusal.ts'
import { seen } from './waiting.ts'

/**
 * Marking codes of a posting. OZON keeps them by exemplar, that is unit, of a product, takes all data
 * of all exemplars anew with each change, and checks the codes some time after it has answered.
 */

const mandatory = 'mandatory_mark'

export async function attachMarks(
  client: OzonClient,
  time: Time,
  number: string,
  codes: readonly string[],
): Promise<void> {
  const products = listOf(await client.exemplars(number), 'products')
  if (!holdAll(products, codes)) {
    const shared = await shareOut(client, number, products, codes)
    await client.setExemplars(number, { products: shared })
  }
  await seen(
    time,
    async () => (await areAccepted(client, number)) || undefined,
    `OZON ещё проверяет коды маркировки заказа ${number}, повторим позже`,
  )
}

function marksIn(exemplar: Fields): { mark: string; type: string }[] {
  return listOrNone(exemplar, 'marks').map((mark) => ({
    mark: textOf(mark, 'mark'),
    type: textOrNone(mark, 'mark_type') ?? mandatory,
  }))
}

function holdAll(products: readonly Fields[], codes: readonly string[]): boolean {
  const held = products
    .flatMap((product) => listOrNone(product, 'exemplars'))
    .flatMap(marksIn)
    .flatMap(({ mark, type }) => (type === mandatory ? mark : []))
  return held.length === codes.length && new Set([...held, ...codes]).size === codes.length
}

/** All products with all that is known of their exemplars, and the codes on those they belong to. */
async function shareOut(
  client: OzonClient,
  number: string,
  products: readonly Fields[],
  codes: readonly string[],
): Promise<readonly Fields[]> {
  const marked = markedOf(products)
  const byProduct = await byProductOf(client, marked, codes)
  return products.map((product) => {
    const left = [...(byProduct.get(textOf(product, 'product_id')) ?? [])]
    const exemplars = listOf(product, 'exemplars').map((exemplar) => {
      const others = marksIn(exemplar).filter(({ type }) => type !== mandatory)
      const [mark] = left.splice(0, 1)
      const marks = [...others, ...(mark === undefined ? [] : [{ mark, type: mandatory }])]
      return shownExemplar(exemplar, marks)
    })
    if (left.length > 0) throw refused(`Кодов маркировки больше, чем единиц в заказе ${number}`)
    return { product_id: numberOf(textOf(product, 'product_id')), exemplars }
  })
}

/** Products that must be marked; where none must be, those that may. */
function markedOf(products: readonly Fields[]): readonly Fields[] {
  const needed = products.filter((product) => flagOf(product, 'is_mandatory_mark_needed'))
  if (needed.length > 0) return needed
  return products.filter((product) => flagOf(product, 'is_mandatory_mark_possible'))
}

/** A code tells its goods by GTIN, which is one of the barcodes of the product's card. */
async function byProductOf(
  client: OzonClient,
  products: readonly Fields[],
  codes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const skus = products.map((product) => textOf(product, 'product_id'))
  const [only] = skus
  if (only === undefined) throw refused('OZON не ждёт кодов маркировки для этого заказа')
  if (skus.length === 1) return new Map([[only, codes]])
  const { items } = await client.productInfos('sku', skus)
  const skuOf = new Map(
    items.flatMap((item) =>
      barcodesOf(item).map((barcode) => [gtinOf(barcode) ?? '', textOf(item, 'sku')] as const),
    ),
  )
  return Map.groupBy(codes, (code) => {
    const sku = skuOf.get(/^(?:01)?(\d{14})/.exec(code)?.[1] ?? 'none')
    if (sku !== undefined) return sku
    throw refused('Код маркировки не подходит ни к одному товару заказа: сверьте штрихкоды на OZON')
  })
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

/** Throws where OZON has refused a code; false while it is still at it. */
async function areAccepted(client: OzonClient, number: string): Promise<boolean> {
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
  if (state !== 'ship_not_available' && errors.length === 0 && !failed) return true
  const why = errors.length === 0 ? '' : `: ${[...new Set(errors)].slice(0, 5).join(', ')}`
  throw refused(`OZON не принял коды маркировки заказа ${number}${why}`, errors[0])
}
