import { markingCode } from '../support/marking-codes.ts'
import { type Client, goodsOf, isKnown } from './model.ts'
import { type Actor, act, mostly } from './world.ts'

/** Other barcodes of goods: given by managers, scanned by workers. */

/** Gives goods another barcode, sometimes again. */
export async function nameAlso({ world, random }: Actor, client: Client): Promise<void> {
  const goods = mostly(
    random,
    client.goods.values(),
    ({ barcode, others }) => !others.has(otherThan(barcode)),
  )
  if (goods === undefined) return
  const { barcode } = goods
  const other = otherThan(barcode)
  await act(world, {
    what: `name ${barcode} also ${other}`,
    call: () =>
      world.manager(`/clients/${client.id}/products/${barcode}/barcodes/${other}`, {
        method: 'PUT',
      }),
    expect: () => (isKnown(client, barcode) ? 200 : 404),
    apply: () => {
      goodsOf(client, barcode)?.others.add(other)
    },
  })
}

/** With so many digits that no table takes it for a GTIN with a dash. */
const otherThan = (barcode: string) => `${barcode}-22`

/** What a worker scans of goods: any of their barcodes. */
export function scanned({ random }: Actor, client: Client, barcode: string): string {
  const others = [...(goodsOf(client, barcode)?.others ?? [])]
  return others.length > 0 && random.next() < 0.4 ? random.pick(others) : barcode
}

/** The own barcode of the goods that any barcode names. */
export function namedBy(client: Client, text: string): string {
  const goods = [...client.goods.values()].find(({ others }) => others.has(text))
  return goods?.barcode ?? text
}

/** The marking code of a unit, as it is printed. */
export function printedCode(key: string): string {
  const [barcode = '', unit] = key.split(':')
  return markingCode(barcode, Number(unit))
}

/** The key of a unit, by what the service calls the identity of its code. */
export const keyOfIdentity = (identity: string) =>
  `${identity.slice(1, 14)}:${Number(identity.slice(-6))}`
