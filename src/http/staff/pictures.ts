import type { Queryable } from '../../platform/db/connection.ts'
import { type Goods, picturesOf } from '../../warehouse/catalogue/pictures.ts'
import { productNames } from '../../warehouse/catalogue/product-names.ts'

/**
 * Adds to goods in answers of staff the addresses of their pictures, and to lines of orders the names of their goods:
 * one statement per answer for each, however many goods it names.
 */

interface Named {
  readonly barcode?: string | undefined
}
type Pictured<Item> = Item & { picture?: string }

/** Goods of one client. */
export async function withPictures<Item extends Named>(
  db: Queryable,
  clientId: string,
  items: readonly Item[],
): Promise<Pictured<Item>[]> {
  const pictured = await picturing(db, items.flatMap(goodsOf(clientId)))
  return items.map((item) => pictured(clientId, item))
}

interface WithLines<Line> {
  readonly client_id: string
  readonly lines: readonly Line[]
}

/** Orders of any clients, with names and pictures of the goods of their lines. */
export async function linesWithGoods<Line extends Named, Order extends WithLines<Line>>(
  db: Queryable,
  orders: readonly (Order & WithLines<Line>)[],
): Promise<(Order & { lines: (Pictured<Line> & { name?: string })[] })[]> {
  const goods = orders.flatMap((order) => order.lines.flatMap(goodsOf(order.client_id)))
  const pictured = await picturing(db, goods)
  const nameOf = await productNames(
    db,
    goods.map(({ clientId, barcode }) => ({ client_id: clientId, barcode })),
  )
  const shown = (client: string, line: Line) => {
    const name = line.barcode === undefined ? undefined : nameOf(client, line.barcode)
    return { ...pictured(client, line), ...(name !== undefined && { name }) }
  }
  return orders.map((order) => ({
    ...order,
    lines: order.lines.map((line) => shown(order.client_id, line)),
  }))
}

function goodsOf(clientId: string) {
  return ({ barcode }: Named): Goods[] => (barcode === undefined ? [] : [{ clientId, barcode }])
}

async function picturing(db: Queryable, goods: readonly Goods[]) {
  const pictureOf = goods.length === 0 ? () => undefined : await picturesOf(db, goods)
  return <Item extends Named>(clientId: string, item: Item): Pictured<Item> => {
    const hash =
      item.barcode === undefined ? undefined : pictureOf({ clientId, barcode: item.barcode })
    return hash === undefined ? item : { ...item, picture: addressOf(clientId, hash) }
  }
}

function addressOf(clientId: string, hash: string): string {
  return `/staff/v1/clients/${clientId}/pictures/${hash}`
}
