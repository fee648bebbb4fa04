import { excerpt } from '../../../../platform/kernel/errors.ts'
import { isRejected, rejection } from '../../calls/failure.ts'
import { textOf } from '../../calls/response-fields.ts'
import type { ShippedUnit } from '../../connector.ts'
import { type Posting, parsePosting } from '../answers/postings.ts'
import { type OzonClient, ozonId } from '../client.ts'
import { awaitsPacking } from '../status.ts'

/**
 * Passes on where the goods of a posting were made, until it is packed. OZON stores one country for each
 * product of a posting and does not tell which: a repeat sends it again. Throws if the units of a product
 * differ.
 */
export async function setCountries(
  client: OzonClient,
  number: string,
  units: readonly ShippedUnit[],
): Promise<void> {
  const made = units.filter(({ marks }) => marks.country != null)
  if (made.length === 0) return
  const posting = parsePosting(await client.posting(number))
  if (!awaitsPacking(posting.status)) return
  const countries = countriesBySku(posting, made)
  const { items } = await client.productInfos('sku', [...countries.keys()])
  const products = new Map(items.map((item) => [textOf(item, 'sku'), textOf(item, 'id')]))
  for (const [sku, country] of countries) {
    const product = products.get(sku)
    if (product === undefined) throw rejection(`На OZON не найден товар ${sku} заказа ${number}`)
    await setCountry(client, posting, { sku, product, country })
  }
}

function countriesBySku(
  { number, products }: Posting,
  units: readonly ShippedUnit[],
): Map<string, string> {
  const countries = new Map<string, string>()
  for (const { itemId, marks } of units) {
    const sku = products.length === 1 ? products[0]?.sku : String(itemId)
    const { country } = marks
    // Goods that the posting does not have are refused when it is packed.
    if (country == null || !products.some((product) => product.sku === sku)) continue
    const known = countries.get(sku ?? '') ?? country
    if (known !== country) {
      throw rejection(
        `У единиц одного товара в заказе ${number} разные страны изготовления (${known}, ${country}): ` +
          'OZON принимает одну, исправьте в задании на сборку',
      )
    }
    countries.set(sku ?? '', country)
  }
  return countries
}

interface ProductCountry {
  readonly sku: string
  /** The seller's number of the product, which is not the sku. */
  readonly product: string
  readonly country: string
}

/** A country that OZON does not ask for is no error: staff may give more. */
async function setCountry(
  client: OzonClient,
  { number, countrySkus }: Posting,
  { sku, product, country }: ProductCountry,
): Promise<void> {
  try {
    await client.setCountry(number, ozonId(product), country)
  } catch (error) {
    if (!isRejected(error)) throw error
    if (!countrySkus.includes(sku)) return
    throw rejection(
      `OZON не принял в заказе ${number} страну изготовления ${excerpt(country)}: исправьте её в ` +
        'задании на сборку и закройте отгрузку ещё раз',
      error.code,
    )
  }
}
