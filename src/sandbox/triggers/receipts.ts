import { countScan } from '../../warehouse/receipts/counting.ts'
import { registerReceipt } from '../../warehouse/receipts/register.ts'
import { requestReceipt } from '../../warehouse/receipts/request.ts'
import type { ReceiptStatus } from '../../warehouse/receipts/state.ts'
import { confirmReceipt, finishReceiving, startReceiving } from '../../warehouse/receipts/verbs.ts'
import { lotOfBrought } from '../counting.ts'
import { plainGoods } from '../scenario/goods.ts'
import type { Scene, Touched } from './scene.ts'

/** Triggers of receipts: the seller's own newest request first, then one of the scenario, then a new one. */

export async function confirm(scene: Scene): Promise<Touched[]> {
  const { work, clientId } = scene
  const found = await findOpen(scene, ['PENDING_CONFIRMATION'])
  const id = found?.id ?? (await requestNew(scene))
  await confirmReceipt(work, clientId, id)
  return touched(id)
}

/** Everything that was declared is counted. */
export async function complete(scene: Scene): Promise<Touched[]> {
  const receipt = (await findOpen(scene, open)) ?? (await registerNew(scene))
  const lines = await beginCounting(scene, receipt)
  await countLines(scene, receipt.id, lines)
  await finishReceiving(scene.work, scene.clientId, receipt.id, new Map())
  return touched(receipt.id)
}

/** One unit of the first line that is not counted yet is missing. */
export async function completeShort(scene: Scene): Promise<Touched[]> {
  const receipt = (await findOpen(scene, open)) ?? (await registerNew(scene))
  const lines = await beginCounting(scene, receipt)
  const [first, ...others] = lines
  if (first === undefined) throw new Error(`receipt ${receipt.id} has nothing left to count`)
  await countLines(scene, receipt.id, [{ ...first, units: first.units - 1 }, ...others])
  const reasons = new Map([[first.barcode, 'NOT_DELIVERED']])
  await finishReceiving(scene.work, scene.clientId, receipt.id, reasons)
  return touched(receipt.id)
}

const open = ['PENDING_CONFIRMATION', 'EXPECTED', 'RECEIVING'] as const

interface OpenReceipt {
  readonly id: string
  readonly status: ReceiptStatus
}

/** A receipt that still lacks units, and has no unit too many. Own requests are those in the journal. */
async function findOpen(
  { work, clientId }: Scene,
  statuses: readonly ReceiptStatus[],
): Promise<OpenReceipt | undefined> {
  const items = work.tx`receipt_items i where i.client_id = r.client_id and i.receipt_id = r.id`
  const [receipt] = await work.tx<OpenReceipt[]>`
    select r.id, r.status from receipts r
    where r.client_id = ${clientId} and r.status = any(${[...statuses]})
      and exists (select from ${items} and i.accepted_qty < i.expected_qty)
      and not exists (select from ${items} and i.accepted_qty > i.expected_qty)
    order by exists (
        select from receipt_journal j
        where j.client_id = r.client_id and j.receipt_id = r.id and j.outcome = 'created') desc,
      r.created_at desc, r.id desc
    limit 1`
  return receipt
}

interface LineToCount {
  readonly line: number
  readonly barcode: string
  /** Units that are not counted yet. */
  readonly units: number
}

/** Brings the receipt to counting. Answers the lines that are not counted to their end. */
async function beginCounting(
  { work, clientId }: Scene,
  { id, status }: OpenReceipt,
): Promise<LineToCount[]> {
  if (status === 'PENDING_CONFIRMATION') await confirmReceipt(work, clientId, id)
  if (status !== 'RECEIVING') await startReceiving(work, clientId, id)
  return work.tx<LineToCount[]>`
    select line, barcode, expected_qty - accepted_qty as units from receipt_items
    where client_id = ${clientId} and receipt_id = ${id} and accepted_qty < expected_qty
    order by line`
}

async function countLines(
  { work, clientId }: Scene,
  id: string,
  lines: readonly LineToCount[],
): Promise<void> {
  for (const { line, barcode, units } of lines) {
    if (units === 0) continue
    const scan = { scanId: `trigger-${line}`, barcode, units, lot: lotOfBrought(work) }
    await countScan(work, clientId, id, scan, 'optional')
  }
}

const itemsToBring = plainGoods.slice(0, 2).map(({ barcode, name }) => ({ barcode, name, qty: 10 }))

async function requestNew({ work, cabinetId, requester }: Scene): Promise<string> {
  const items = itemsToBring.map((item) => ({ ...item, honest_mark: false }))
  const { receipt } = await requestReceipt(work, requester, { cabinet_id: cabinetId, items })
  return receipt.id
}

async function registerNew({ work, clientId, cabinetId }: Scene): Promise<OpenReceipt> {
  const draft = { source: 'manual', cabinetId, items: itemsToBring } as const
  return { id: await registerReceipt(work, clientId, draft), status: 'EXPECTED' }
}

function touched(id: string): Touched[] {
  return [{ object: 'receipt', id }]
}
