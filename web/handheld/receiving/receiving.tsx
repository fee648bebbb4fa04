import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { allowsReceiptVerb, isCompleted } from '../../../src/warehouse/receipts/state.ts'
import type { LookupMatch, StaffReceipt } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { differencesOf } from '../../words/differences.ts'
import { number } from '../../words/format.ts'
import { TakePhoto } from '../photos/take-photo.tsx'
import { useTask } from '../queue/use-queue.ts'
import { askLookup } from '../scan/ask-lookup.ts'
import { LotOfScans, useLots } from '../scan/lot-of-scans.tsx'
import { ScanScreen } from '../scan/scan-screen.tsx'
import { type ScanLoop, useScanLoop } from '../scan/use-scan-loop.ts'
import { note, type Verdict } from '../scan/verdict.ts'
import { useInAddress } from '../use-in-address.ts'
import { Finish } from './finish.tsx'
import { ItemList } from './item-list.tsx'
import { Quantity } from './quantity.tsx'
import {
  foldReceipt,
  type ReceiptEffect,
  readReceiptCode,
  type UnlistedUnit,
  unlistedItem,
} from './receipt.ts'
import { type Counted, verdictOfUnits } from './receipt-verdict.ts'
import { UnlistedForm } from './unlisted-form.tsx'

/** Receiving goods by their document. */
export function Receiving() {
  const { params } = useRoute()
  const id = params.id ?? ''
  const key = `receiving:${id}`
  const receipt = useTask<StaffReceipt, ReceiptEffect>(key, {
    ask: (signal) => staff('GET /receipts/{id}', { path: { id }, signal }),
    fold: foldReceipt,
  })
  const box = useInAddress('box')
  const [wanted, setWanted] = useState<string>()
  const [unlisted, setUnlisted] = useState<UnlistedUnit>()
  const [last, setLast] = useState<Counted['item']>()
  const lots = useLots<Omit<Counted, 'receiptId' | 'box'>>()

  const count = (units: Omit<Counted, 'receiptId' | 'box'>): Verdict => {
    const { barcode } = units.item
    const { items, walk_in: isWalkIn = false } = receipt.now() ?? {}
    const item = items?.find((each) => each.barcode === barcode) ?? units.item
    setUnlisted(undefined)
    setWanted(undefined)
    const lot = lots.of(item, units)
    if (lot === 'asked') return { kind: 'taken', outcome: 'surplus' }
    setLast(units.marking === undefined ? item : undefined)
    return verdictOfUnits({ ...units, lot, item, receiptId: id, box: box.now(), isWalkIn })
  }
  const takeBox = (sscc: string): Verdict => {
    const isSame = box.now() === sscc
    box.set(isSame ? undefined : sscc)
    return note(`Короб …${sscc.slice(-5)}${isSame ? ' закрыт' : ': кладите в него'}`)
  }
  const read = async (code: string): Promise<Verdict> => {
    const now = receipt.now()
    if (now === undefined) return note('Приёмка ещё загружается', 'surplus')
    if (isCompleted(now.status)) return { kind: 'wrong', sentence: 'Приёмка уже завершена' }
    if (!allowsReceiptVerb(now.status, 'count')) {
      return note('Сначала нажмите «Начать приёмку»', 'surplus')
    }
    const reading = readReceiptCode(now, lots.goodsOf(code), wanted)
    if (reading.kind === 'wrong') return reading
    if (reading.kind === 'box') return takeBox(reading.sscc)
    if (reading.kind === 'item') return count(reading)
    if (reading.kind === 'marking-wanted') {
      setWanted(reading.item.barcode)
      return note(`Теперь код маркировки «${reading.item.name}»`, 'surplus')
    }
    const own = now.walk_in ? await ownGoods(now, reading) : undefined
    if (own?.name) return count({ ...reading, item: unlistedItem(reading.barcode, own.name, own) })
    setUnlisted(reading)
    return { kind: 'taken', outcome: 'surplus' }
  }
  const loop = useScanLoop(key, read)
  const now = receipt.state
  const sscc = box.now()
  const isOver = now !== undefined && isCompleted(now.status)
  const mayCount = now !== undefined && allowsReceiptVerb(now.status, 'count')
  return (
    <ScanScreen
      title={`Приёмка ${now?.number ?? ''}`}
      about={now && aboutOf(now)}
      resume={now && `приёмка ${now.number}`}
      isOver={isOver}
      loop={loop}
      actions={
        <>
          {mayCount && last !== undefined && <More item={last} loop={loop} count={count} />}
          {mayCount && <Finish receipt={now} onFinished={receipt.reload} />}
          {now !== undefined && allowsReceiptVerb(now.status, 'start') && (
            <Start id={id} onStarted={receipt.reload} loop={loop} />
          )}
        </>
      }
    >
      <Failure error={now === undefined ? receipt.error : undefined} />
      {sscc !== undefined && mayCount && <p class="notice">Кладём в короб …{sscc.slice(-5)}</p>}
      {isOver && <p class="sentence">Приёмка завершена. {now.status_label}</p>}
      {mayCount && <LotOfScans lots={lots} item={last} act={(units) => loop.act(count(units))} />}
      {now !== undefined && <ItemList items={now.items ?? []} isWalkIn={now.walk_in} />}
      {mayCount && <ReceiptPhoto id={id} loop={loop} />}
      {unlisted !== undefined && (
        <UnlistedForm
          barcode={unlisted.barcode}
          clientId={now?.client_id}
          onClose={() => setUnlisted(undefined)}
          onGiven={(name, own) =>
            loop.act(count({ ...unlisted, item: unlistedItem(unlisted.barcode, name, own), name }))
          }
        />
      )}
    </ScanScreen>
  )
}

/** A photo of the receipt, or of the unit that was scanned last. */
function ReceiptPhoto({ id, loop: { last } }: { readonly id: string; readonly loop: ScanLoop }) {
  const name = 'PUT /receipts/{id}/photos/{photo}'
  return <TakePhoto target={{ name, path: { id }, scanId: last?.scanId }} />
}

function aboutOf({
  client_name: client,
  walk_in,
  accepted_qty,
  expected_qty,
  items = [],
}: StaffReceipt): string {
  const came = number(accepted_qty)
  if (walk_in) return `${client} · принято ${came}`
  const { short, surplus } = differencesOf(items)
  const lacking = short > 0 ? `, не хватает ${number(short)}` : ''
  const beyond = surplus > 0 ? `${lacking}, сверх заявки ${number(surplus)}` : ''
  return `${client} · ${came} из ${number(expected_qty)}${beyond}`
}

interface MoreProps {
  readonly item: Counted['item']
  readonly loop: ScanLoop
  readonly count: (units: Pick<Counted, 'item' | 'qty'>) => Verdict
}

function More({ item, loop, count }: MoreProps) {
  return (
    <Quantity item={item} onGiven={(qty) => loop.act(count({ item, qty }))} onNext={loop.take} />
  )
}

interface StartProps {
  readonly id: string
  readonly onStarted: () => Promise<void>
  readonly loop: ScanLoop
}

function Start({ id, onStarted, loop }: StartProps) {
  const start = useAction(async () => {
    await staff('POST /receipts/{id}/start', { path: { id } })
    await onStarted()
    loop.act(note('Приёмка начата. Сканируйте товар'))
  })
  return (
    <>
      <Failure error={start.error} />
      <button type="button" class="primary" disabled={start.busy} onClick={() => start.run()}>
        Начать приёмку
      </button>
    </>
  )
}

/** Goods of the receipt's client, if the warehouse knows them and answers in time. */
async function ownGoods(
  { client_id: client }: StaffReceipt,
  { barcode }: UnlistedUnit,
): Promise<LookupMatch | undefined> {
  try {
    const matches = await askLookup(barcode)
    return matches.find((match) => match.kind === 'goods' && match.client_id === client)
  } catch {
    return undefined
  }
}
