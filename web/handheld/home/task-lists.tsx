import type { PickingTask, ReturnBatch, StaffReceipt, StockCount } from '../../api/staff-calls.ts'
import { number, plural, untilDeadline } from '../../words/format.ts'
import { paths } from '../paths.ts'
import { useQueue } from '../queue/use-queue.ts'

export { ThemeChoice } from '../../ui/theme/theme-choice.tsx'

/** What waits for a worker. */
export interface Waiting {
  readonly picking: readonly PickingTask[]
  readonly receipts: readonly StaffReceipt[]
  /** Missing in what an older version of this page has left on the disk. */
  readonly counts?: readonly StockCount[]
  readonly returns?: readonly ReturnBatch[]
}

interface ListsProps {
  readonly waiting: Waiting
  readonly userId: string
}

/** Each task that waits, with how far it is. */
export function TaskLists({ waiting, userId }: ListsProps) {
  return (
    <>
      <PickingList tasks={waiting.picking} userId={userId} />
      <ReceiptList receipts={waiting.receipts} />
      <ReturnList batches={waiting.returns ?? []} />
      <CountList counts={waiting.counts ?? []} userId={userId} />
    </>
  )
}

interface PickingProps {
  readonly tasks: readonly PickingTask[]
  readonly userId: string
}

function PickingList({ tasks, userId }: PickingProps) {
  return (
    <section class="cards" aria-labelledby="picking">
      <h2 id="picking">Собрать</h2>
      {tasks.length === 0 && <p class="quiet">Заданий нет</p>}
      {tasks.map((task) => (
        <a key={task.id} class="card" href={paths.picking(task.id)}>
          <span class="card-title">{task.shipment_external_id}</span>
          <span class="card-figure">
            {task.packed_count} из {task.orders_count}
          </span>
          <span class="small">
            {task.marketplace} · {task.client_name} ·{' '}
            {task.deadline === null ? 'без срока' : untilDeadline(task.deadline)}
            {task.claim !== null &&
              (task.claim.user_id === userId ? ' · у вас' : ` · собирает ${task.claim.name}`)}
          </span>
        </a>
      ))}
    </section>
  )
}

function ReceiptList({ receipts }: { readonly receipts: readonly StaffReceipt[] }) {
  return (
    <section class="cards" aria-labelledby="receipts">
      <h2 id="receipts">Принять</h2>
      {receipts.length === 0 && <p class="quiet">Приёмок нет</p>}
      {receipts.map((receipt) => (
        <a key={receipt.id} class="card" href={paths.receiving(receipt.id)}>
          <span class="card-title">{receipt.number}</span>
          <span class="card-figure">{cameOf(receipt.accepted_qty, receipt.expected_qty)}</span>
          <span class="small">
            {receipt.client_name} · {receipt.status_label.toLowerCase()}
          </span>
        </a>
      ))}
    </section>
  )
}

/** Of goods that nobody announced there is no number to reach. */
function cameOf(came: number, expected: number): string {
  return expected > 0 ? `${number(came)} из ${number(expected)}` : number(came)
}

function ReturnList({ batches }: { readonly batches: readonly ReturnBatch[] }) {
  if (batches.length === 0) return null
  return (
    <section class="cards" aria-labelledby="returns">
      <h2 id="returns">Возвраты</h2>
      {batches.map(({ id, number, client_name: client, came_qty: came, expected_qty: of }) => (
        <a key={id} class="card" href={paths.returnBatch(id)}>
          <span class="card-title">{number}</span>
          <span class="card-figure">{cameOf(came, of)}</span>
          <span class="small">{client}</span>
        </a>
      ))}
    </section>
  )
}

interface CountsProps {
  readonly counts: readonly StockCount[]
  readonly userId: string
}

/** Without those of which the worker has just said that nothing is left: the list may be older than that word. */
function CountList({ counts: read, userId }: CountsProps) {
  const { entries } = useQueue()
  const counts = read.filter(({ id, reviewed_at: round }) => {
    const said = entries.findLast(
      (entry) =>
        entry.userId === userId && entry.path.id === id && /\/(finish|resume)$/.test(entry.name),
    )
    const isDone = said?.name === 'POST /counts/{id}/finish' && said.state !== 'refused'
    return !isDone || said.body.reviewed_at !== round
  })
  if (counts.length === 0) return null
  return (
    <section class="cards" aria-labelledby="counts">
      <h2 id="counts">Пересчитать</h2>
      {counts.map(({ id, client_name: client, units, scope }) => (
        <a key={id} class="card" href={paths.counting(id)}>
          <span class="card-title">{client}</span>
          <span class="card-figure">{plural(units, 'штука', 'штуки', 'штук')}</span>
          <span class="small">{scopeOf(scope)}</span>
        </a>
      ))}
    </section>
  )
}

function scopeOf({ barcodes, box_ids: boxes, location_ids: locations }: StockCount['scope']) {
  const places = boxes.length + locations.length
  const parts = [
    places > 0 && plural(places, 'место', 'места', 'мест'),
    barcodes.length > 0 && plural(barcodes.length, 'товар', 'товара', 'товаров'),
  ]
  return parts.filter(Boolean).join(', ') || 'все товары'
}
