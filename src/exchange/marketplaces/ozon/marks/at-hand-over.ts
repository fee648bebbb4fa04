import { excerpt } from '../../../../platform/kernel/errors.ts'
import { contradicts, gtinOf } from '../../../../platform/kernel/gs1.ts'
import type { MarkKind } from '../../../../warehouse/orders/fact-kinds.ts'
import { mapInParallel } from '../../calls/chunks.ts'
import {
  isRejected,
  type MarketplaceError,
  rejection,
  temporaryFailure,
  unlessMissing,
  unlessRejected,
} from '../../calls/failure.ts'
import { barcodesOf, type Fields, listOf, textOf, textOrNone } from '../../calls/response-fields.ts'
import type { MarkedOrder, ShippedUnit } from '../../connector.ts'
import { type OzonClient, ozonId } from '../client.ts'
import type { OzonContext } from '../context.ts'
import { namesError } from '../errors.ts'
import { pollUntil } from '../polling.ts'
import { isPacked, wasPacked } from '../status.ts'
import { setCountries } from './countries.ts'
import {
  arePassed,
  exemplarData,
  exemplarsIn,
  isStored,
  lackingKinds,
  neededKinds,
  type PairedExemplar,
  pairUnits,
  refusedMarks,
  type SentExemplar,
  skuOf,
  takesData,
} from './exemplar-data.ts'
import { describeLacking, refuseLacking } from './lacking.ts'

/**
 * Attaches the marks of picked units to postings. OZON checks them some time after its response.
 *
 * Staff may give more than OZON asks for: such marks are skipped. If OZON takes marks but needs none, a
 * refusal is no failure.
 */
export async function attachMarksToPostings(
  context: OzonContext,
  orders: readonly MarkedOrder[],
): Promise<void> {
  const refusals = await mapInParallel(orders, async (order) => {
    try {
      await attachToPosting(context, order)
      return undefined
    } catch (error) {
      if (isRejected(error)) return error
      throw error
    }
  })
  const named = refusals.flatMap((error) => error ?? []).slice(0, refusalsMax)
  const [first] = named
  if (first === undefined) return
  if (named.length === 1) throw first
  throw rejection(named.map(({ message }) => message).join('. '), first.code)
}

/** So many orders are named in one refusal. */
const refusalsMax = 5

async function attachToPosting(context: OzonContext, order: MarkedOrder): Promise<void> {
  const { client } = context
  try {
    await attach(context, order)
  } catch (error) {
    // OZON takes and reports marks until a posting is packed, and packs no posting that lacks them.
    const isRemote = isRejected(error) && error.status !== undefined
    if (!isRemote || !wasPacked(await statusOf(client, order.externalId))) throw error
  }
}

export async function statusOf(client: OzonClient, number: string): Promise<string> {
  return textOf(await client.posting(number), 'status')
}

async function attach(context: OzonContext, { externalId: number, units }: MarkedOrder) {
  const { client } = context
  // The country decides whether OZON wants a declaration.
  await setCountries(client, number, units)
  const response = await unlessDefined(unlessMissing(client.exemplars(number)))
  // OZON takes no marks: it has them, needs none, or refuses the order itself later.
  if (response === undefined) return
  const products = listOf(response, 'products')
  if (!products.some(takesData)) return
  try {
    await attachToExemplars(context, number, response, units)
  } catch (error) {
    const isNeeded = products.some((product) => neededKinds(product).length > 0)
    if (isNeeded || !isRejected(error)) throw error
  }
}

async function attachToExemplars(
  context: OzonContext,
  number: string,
  response: Fields,
  units: readonly ShippedUnit[],
): Promise<void> {
  const { client } = context
  const assigned = await assignUnits(client, listOf(response, 'products'), units)
  const wanted = pairAll(number, response, assigned)
  const lacking = lackingIn(wanted)
  if (lacking.length > 0) {
    if (isPacked(await statusOf(client, number))) return
    throw refuseLacking(number, lacking)
  }
  const { isNew, isFixed } = await setNewData(client, number, response, wanted)
  await awaitAcceptance(context, number, isFixed ? [] : exemplarsOf(wanted), isNew)
}

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

/** Waits until OZON shows all exemplars that were sent as passed. Throws if it refuses one. */
async function awaitAcceptance(
  { client, time }: OzonContext,
  number: string,
  sent: readonly SentExemplar[],
  isNew: boolean,
): Promise<void> {
  const state = await pollUntil(
    time,
    async () => acceptedState(number, await client.exemplarsStatus(number), sent),
    () => temporaryFailure(`OZON ещё проверяет данные единиц заказа ${number}`),
  )
  // Once a posting is packed, OZON uses new data only after this call.
  if (isNew && state === 'update_available') await client.updateExemplars(number)
}

export const inProcess = 'validation_in_process'

/** Undefined while OZON is checking, or does not show all exemplars yet. */
function acceptedState(
  number: string,
  status: Fields,
  sent: readonly SentExemplar[],
): string | undefined {
  const state = textOf(status, 'status')
  if (state === inProcess) return undefined
  const refused = refusedMarks(status)
  if (refused.length === 0 && state !== 'ship_not_available') {
    return arePassed(status, sent) ? state : undefined
  }
  throw refusalOf(number, refused)
}

const namedMax = 5

function refusalOf(number: string, refused: ReturnType<typeof refusedMarks>): MarketplaceError {
  const named = refused.slice(0, namedMax).map(({ kind, value, codes }) => {
    const name = describeLacking(kind === undefined ? [] : [kind]) || 'данные'
    const shown = value === undefined || kind === 'weight' ? name : `${name} ${excerpt(value)}`
    return codes.length === 0 ? shown : `${shown} (${excerpt(codes.join(', '))})`
  })
  const what = named.join(', ') || 'данные единиц'
  return rejection(
    `OZON не принял в заказе ${number} ${what}: сверьте с товаром, исправьте в задании на сборку ` +
      'и закройте отгрузку ещё раз',
    refused.flatMap(({ codes }) => codes)[0],
  )
}
