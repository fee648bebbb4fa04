import { countScan } from '../../warehouse/receipts/counting.ts'
import { registerReceipt } from '../../warehouse/receipts/register.ts'
import { finishReceiving, startReceiving } from '../../warehouse/receipts/verbs.ts'
import { putInQuestion, resolveQuestion, writeOff } from '../../warehouse/stock/adjustments.ts'
import { lotOfBrought } from '../counting.ts'
import { goods, plainGoods } from '../scenario/goods.ts'
import type { Scene, Touched } from './scene.ts'

export async function putGoodsInQuestion(scene: Scene): Promise<Touched[]> {
  const { work, clientId } = scene
  const barcode = await freeGoods(scene)
  await putInQuestion(work, clientId, { barcode, units: 1, reason: 'COUNT' })
  return [{ object: 'stock_item', id: barcode }]
}

/** Goods that no picking task needs run out. */
export async function emptyStock(scene: Scene): Promise<Touched[]> {
  const { work, clientId } = scene
  const { barcode, quantity, in_question: units } = await leastGoods(scene)
  if (units > 0) await resolveQuestion(work, clientId, { barcode, units, outcome: 'written_off' })
  const free = quantity - units
  if (free > 0) await writeOff(work, clientId, { barcode, units: free, reason: 'LOST' })
  return [{ object: 'stock_item', id: barcode }]
}

interface LeastGoods {
  barcode: string
  quantity: number
  in_question: number
}

async function leastGoods(scene: Scene): Promise<LeastGoods> {
  const [least] = await scene.work.tx<LeastGoods[]>`
    select barcode, quantity, in_question from stock_balances
    where client_id = ${scene.clientId} and reserved = 0
    order by quantity = 0, quantity, barcode limit 1`
  if (least !== undefined && least.quantity > 0) return least
  const barcode = least?.barcode ?? spare.barcode
  await receiveGoods(scene, [{ barcode, name: spare.name, qty: 1 }])
  return { barcode, quantity: 1, in_question: 0 }
}

/** For a copy in which every product is reserved. */
const spare = { barcode: '2000000099999', name: 'Товар на замену' }

/** The barcode of goods with free units: those with most of them. Brings new units where there are none. */
export async function freeGoods(scene: Scene, onlyMarked = false): Promise<string> {
  const barcode = await mostFree(scene, onlyMarked)
  if (barcode !== undefined) return barcode
  const brought = onlyMarked ? markedGoods : plainGoods
  await restock(scene, brought)
  return (await mostFree(scene, onlyMarked)) ?? brought[0]?.barcode ?? ''
}

async function mostFree(
  { work, clientId }: Scene,
  onlyMarked: boolean,
): Promise<string | undefined> {
  const { tx } = work
  const wanted = onlyMarked
    ? tx`barcode = any(${markedGoods.map(({ barcode }) => barcode)})`
    : tx`true`
  const [row] = await tx<{ barcode: string }[]>`
    select barcode from stock_balances
    where client_id = ${clientId} and quantity - in_question - reserved > 0 and ${wanted}
    order by quantity - in_question - reserved desc, barcode limit 1`
  return row?.barcode
}

/** A receipt has marked or unmarked goods only. */
export const markedGoods = goods.filter((good) => good.honestMark)

export async function restock(scene: Scene, brought = plainGoods): Promise<void> {
  await receiveGoods(
    scene,
    brought.map(({ barcode, name, demand }) => ({ barcode, name, qty: demand * 5 })),
  )
}

/** A manager registers a receipt, and it is counted at once. */
async function receiveGoods(
  { work, clientId, cabinetId, made }: Scene,
  items: readonly { readonly barcode: string; readonly name: string; readonly qty: number }[],
): Promise<void> {
  const comment = 'Пополнение песочницы'
  const draft = { source: 'manual', cabinetId, comment, items } as const
  const id = await registerReceipt(work, clientId, draft)
  await startReceiving(work, clientId, id)
  for (const { barcode, qty: units } of items) {
    const scan = { scanId: barcode, barcode, units, lot: lotOfBrought(work) }
    await countScan(work, clientId, id, scan, 'optional')
  }
  await finishReceiving(work, clientId, id, new Map())
  made.push({ object: 'receipt', id })
}
