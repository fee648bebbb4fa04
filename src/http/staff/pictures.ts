import type { Queryable } from '../../platform/db/connection.ts'
import { type Goods, picturesOf } from '../../warehouse/catalogue/pictures.ts'

/** Adds to goods in answers of staff the addresses of their pictures: one statement an answer, however many goods it names. */

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

/** Orders of any clients, with pictures of the goods of their lines. */
export async function linesWithPictures<Line extends Named, Order extends WithLines<Line>>(
  db: Queryable,
  orders: readonly (Order & WithLines<Line>)[],
): Promise<(Order & { lines: Pictured<Line>[] })[]> {
  const goods = orders.flatMap((order) => order.lines.flatMap(goodsOf(order.client_id)))
  const pictured = await picturing(db, goods)
  return orders.map((order) => ({
    ...order,
    lines: order.lines.map((line) => pictured(order.client_id, line)),
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
