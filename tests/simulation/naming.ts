import { type Client, isKnown } from './model.ts'
import { type Actor, act, mostly } from './world.ts'

/** Other barcodes of goods: given by managers, scanned by workers. */

/** Gives goods another barcode, sometimes again. */
export async function nameAlso({ world, random }: Actor, client: Client): Promise<void> {
  const goods = mostly(random, client.goods.values(), ({ other }) => other === undefined)
  if (goods === undefined) return
  const { barcode } = goods
  const other = `${barcode}-2`
  await act(world, {
    what: `name ${barcode} also ${other}`,
    call: () =>
      world.manager(`/clients/${client.id}/products/${barcode}/barcodes/${other}`, {
        method: 'PUT',
      }),
    expect: () => (isKnown(client, barcode) ? 200 : 404),
    apply: () => {
      goods.other = other
    },
  })
}

/** What a worker scans of goods: any of their barcodes. */
export function scanned({ random }: Actor, client: Client, barcode: string): string {
  const other = client.goods.get(barcode)?.other
  return other !== undefined && random.next() < 0.4 ? other : barcode
}
