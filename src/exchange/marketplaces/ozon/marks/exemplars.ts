import { contradicts, gtinOf } from '../../../../platform/kernel/codes/gs1.ts'
import type { MarkKind } from '../../../../warehouse/orders/fact-kinds.ts'
import { isRejected, rejection, unlessRejected } from '../../calls/failure.ts'
import { barcodesOf, type Fields, listOf, textOf, textOrNone } from '../../calls/response-fields.ts'
import type { ShippedUnit } from '../../connector.ts'
import { type OzonClient, ozonId } from '../client.ts'
import { namesError } from '../errors.ts'
import {
  exemplarData,
  exemplarsIn,
  isStored,
  lackingKinds,
  type PairedExemplar,
  pairUnits,
  type SentExemplar,
  skuOf,
  takesData,
} from './exemplar-data.ts'

/** The exemplars of a posting get the data of its picked units, each of one unit. */

export const inProcess = 'validation_in_process'

/** A product of a posting, its exemplars with their units, and the data of each. */
export interface WantedData {
  readonly product: Fields
  readonly paired: readonly PairedExemplar[]
  readonly data: readonly Fields[]
}

export function pairAll(
  number: string,
  response: Fields,
  assigned: ReadonlyMap<string, readonly ShippedUnit[]>,
): WantedData[] {
  return listOf(response, 'products').map((product) => {
    const own = takesData(product) ? (assigned.get(skuOf(product)) ?? []) : []
    const paired = pairUnits(product, own)
    if (paired === undefined) {
      throw rejection(`Собранных единиц больше, чем единиц в заказе ${number} на OZON`)
    }
    return { product, paired, data: paired.map((each) => exemplarData(product, each)) }
  })
}

export function exemplarsOf(wanted: readonly WantedData[]): SentExemplar[] {
  return wanted.flatMap(({ paired, data }) =>
    paired.map(({ exemplar }, at) => ({
      id: textOf(exemplar, 'exemplar_id'),
      data: data[at] ?? {},
    })),
  )
}

export function lackingIn(wanted: readonly WantedData[]): MarkKind[] {
  return wanted.flatMap(({ product, data }) => lackingKinds(product, data))
}

/**
 * Sends the data of all exemplars unless OZON has it or is checking it. `isNew`: OZON did not have it. `isFixed`: OZON says
 * that it has other data and takes none.
 */
export async function setNewData(
  client: OzonClient,
  number: string,
  response: Fields,
  wanted: readonly WantedData[],
): Promise<{ readonly isNew: boolean; readonly isFixed: boolean }> {
  const isNew = wanted.some(({ paired, data }) =>
    paired.some(({ exemplar }, at) => !isStored(exemplar, data[at] ?? {})),
  )
  if (!isNew || (await isBeingChecked(client, number, exemplarsOf(wanted))))
    return { isNew, isFixed: false }
  const products = wanted.map(({ product, data }) => ({
    product_id: ozonId(skuOf(product)),
    exemplars: data,
  }))
  const set = client.setExemplars(number, boxesIn(response), products)
  const isTaken = await unlessDefined(set.then(() => true))
  return { isNew, isFixed: isTaken === undefined }
}

/**
 * Whether OZON is checking exactly this data, which an earlier attempt has sent. OZON shows data only after
 * it has passed, and data that is sent again is checked anew.
 */
async function isBeingChecked(
  client: OzonClient,
  number: string,
  sent: readonly SentExemplar[],
): Promise<boolean> {
  const status = await unlessRejected(client.exemplarsStatus(number))
  if (status === undefined || textOf(status, 'status') !== inProcess) return false
  const checked = new Map(exemplarsIn(status).map((one) => [textOrNone(one, 'exemplar_id'), one]))
  return sent.every(({ id, data }) => isStored(checked.get(id) ?? {}, data))
}

/** The number of boxes belongs to the data that a change sends as a whole. */
function boxesIn({ multi_box_qty: boxes }: Fields): number | undefined {
  return typeof boxes === 'number' && boxes > 0 ? boxes : undefined
}

/** Undefined if OZON says that it has the marks already. */
export async function unlessDefined<T>(response: Promise<T>): Promise<T | undefined> {
  return response.catch((error: unknown) => {
    if (isRejected(error) && namesError(error, /EXEMPLAR_INFO_ALREADY_DEFINED/)) return undefined
    throw error
  })
}

/**
 * Assigns each unit to its product, by sku. Where the line of a unit has no number, its product is the one whose card
 * has the GTIN of the unit's code as a barcode. Without such a card it is the only marked product that the GTIN does
 * not contradict.
 */
export async function assignUnits(
  client: OzonClient,
  products: readonly Fields[],
  units: readonly ShippedUnit[],
): Promise<ReadonlyMap<string, readonly ShippedUnit[]>> {
  const skus = products.map(skuOf)
  const [only] = skus
  if (only !== undefined && skus.length === 1) return new Map([[only, units]])
  const numbered = (unit: ShippedUnit) => skus.find((sku) => sku === String(unit.itemId))
  const goods = units.every((unit) => numbered(unit) !== undefined)
    ? []
    : (await client.productInfos('sku', skus)).items.map((item) => ({
        sku: textOf(item, 'sku'),
        barcodes: barcodesOf(item, 'barcodes'),
      }))
  const marked = new Set(products.filter(takesData).map(skuOf))
  return Map.groupBy(units, (unit) => numbered(unit) ?? skuByGtin(unit.markingCode, goods, marked))
}

interface Goods {
  readonly sku: string
  readonly barcodes: readonly string[]
}

function skuByGtin(
  code: string | null,
  goods: readonly Goods[],
  marked: ReadonlySet<string>,
): string {
  const gtin = /^(?:01)?(\d{14})/.exec(code ?? '')?.[1] ?? ''
  const named = goods.filter(({ barcodes }) => barcodes.some((barcode) => gtinOf(barcode) === gtin))
  const possible = goods.filter(
    ({ sku, barcodes }) =>
      marked.has(sku) && !barcodes.some((barcode) => contradicts(gtin, barcode)),
  )
  const [found, other] = named.length > 0 ? named : possible
  if (found !== undefined && other === undefined) return found.sku
  throw rejection(
    'По коду маркировки не видно, какого товара он: сверьте штрихкоды товаров на OZON',
  )
}
