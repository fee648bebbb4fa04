import { useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { PickingTask, ReturnBatch, StaffReceipt, StockCount } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/use-action.ts'
import { number, plural, untilDeadline } from '../../words/format.ts'
import { Frame } from '../frame.tsx'
import { paths } from '../paths.ts'
import { acknowledge, patienceMs, waitingOf } from '../queue/queue.ts'
import { type Task, useQueue, useTask } from '../queue/use-queue.ts'
import { WaitingScans } from '../queue/waiting.tsx'
import { listen } from '../scan/wedge.ts'
import { remembered, useWorker } from '../sign-in/worker.ts'

interface Waiting {
  readonly picking: readonly PickingTask[]
  readonly receipts: readonly StaffReceipt[]
  /** Missing in what an older version of this page has left on the disk. */
  readonly counts?: readonly StockCount[]
  readonly returns?: readonly ReturnBatch[]
}

const noFold = (waiting: Waiting) => waiting

/** What waits for the worker; a scan opens what the code is. */
export function Home() {
  const { login, name = login, id } = useWorker()
  const { route } = useLocation()
  const waiting = useTask<Waiting, never>(`home:${id}`, { ask: askWaiting, fold: noFold })
  useLayoutEffect(() => listen((code) => route(paths.code(code))), [])
  // Buttons come together with the lists above them: they must not move under a finger.
  const isLoading = waiting.state === undefined && waiting.error === undefined
  return (
    <Frame title={name}>
      <div class="home">
        <p class="hint">Отсканируйте любой код: откроется то, чем он помечен</p>
        <Refusals userId={id} />
        <WaitingScans />
        <Continue userId={id} />
        <Failure error={waiting.error?.code === 'offline' ? undefined : waiting.error} />
        {isLoading ? (
          <p class="quiet" role="status">
            Загружаем задания…
          </p>
        ) : (
          <>
            <PickingList waiting={waiting} userId={id} />
            <ReceiptList waiting={waiting} />
            <ReturnList waiting={waiting} />
            <CountList waiting={waiting} />
            <Doings />
            <Leave />
          </>
        )}
      </div>
    </Frame>
  )
}

/** What a worker does without a task. */
function Doings() {
  const station = remembered.station.get()
  return (
    <>
      <a class="button wide" href={paths.walkIn}>
        Принять без документа
      </a>
      <a class="button wide" href={paths.returns}>
        Принять возврат
      </a>
      <a class="button wide" href={paths.findParcel}>
        Проверить упаковку
      </a>
      <a class="button wide" href={paths.placing}>
        Разместить короб или паллету
      </a>
      <a class="button wide" href={paths.units}>
        Положить или взять товар
      </a>
      <a class="button wide" href={paths.station}>
        {station === undefined ? 'Где печатать этикетки' : `Этикетки: ${station.name}`}
      </a>
    </>
  )
}

async function askWaiting(signal: AbortSignal): Promise<Waiting> {
  const given = { signal, patienceMs }
  const [picking, receiving, expected, counting, returns] = await Promise.all([
    staff('GET /picking-tasks', { query: { status: 'OPEN', limit: 100 }, ...given }),
    staff('GET /receipts', { query: { status: 'RECEIVING' }, ...given }),
    staff('GET /receipts', { query: { status: 'EXPECTED' }, ...given }),
    staff('GET /counts', { query: { status: 'COUNTING' }, ...given }),
    staff('GET /returns', { query: { status: 'OPEN' }, ...given }),
  ])
  const byDeadline = (task: PickingTask) =>
    task.deadline === null ? Number.POSITIVE_INFINITY : Date.parse(task.deadline)
  return {
    picking: picking.items.toSorted((a, b) => byDeadline(a) - byDeadline(b)),
    receipts: [...receiving.items, ...expected.items],
    counts: counting.items,
    returns: returns.items,
  }
}

/** What the service refused after the worker had left the task. */
function Refusals({ userId }: { readonly userId: string }) {
  const { entries } = useQueue()
  const refused = entries.filter((entry) => entry.state === 'refused' && entry.userId === userId)
  return refused.map(({ seq, message }) => (
    <div key={seq} class="notice bad stack" role="alert">
      <p>{message}</p>
      <button type="button" onClick={() => acknowledge(seq)}>
        Понятно
      </button>
    </div>
  ))
}

/** Where the worker stood when the page was closed. */
function Continue({ userId }: { readonly userId: string }) {
  const [place] = useState(remembered.place.get())
  if (place === undefined || place.userId !== userId) return null
  return (
    <a class="button primary wide" href={place.path}>
      Продолжить: {place.title}
    </a>
  )
}

interface ListProps {
  readonly waiting: Task<Waiting>
}

function PickingList({ waiting, userId }: ListProps & { readonly userId: string }) {
  const tasks = waiting.state?.picking
  if (tasks === undefined) return null
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
            {task.deadline === null ? 'без срока' : untilDeadline(task.deadline)}
            {task.claim !== null &&
              (task.claim.user_id === userId ? ' · у вас' : ` · собирает ${task.claim.name}`)}
          </span>
        </a>
      ))}
    </section>
  )
}

function ReceiptList({ waiting }: ListProps) {
  const receipts = waiting.state?.receipts
  if (receipts === undefined) return null
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

function ReturnList({ waiting }: ListProps) {
  const batches = waiting.state?.returns ?? []
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

function CountList({ waiting }: ListProps) {
  const counts = waiting.state?.counts ?? []
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

function Leave() {
  const { signOut, id } = useWorker()
  useQueue()
  const waiting = waitingOf(id).length
  const leaving = useAction(signOut)
  return (
    <div class="stack">
      <Failure error={leaving.error} />
      {waiting > 0 && (
        <p class="hint">
          Не отправлено: {waiting}. Сканы останутся на терминале и уйдут, когда вы войдёте снова.
        </p>
      )}
      <button type="button" class="wide" disabled={leaving.busy} onClick={() => leaving.run()}>
        Выйти или сменить сотрудника
      </button>
    </div>
  )
}
