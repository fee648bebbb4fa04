import { useRoute } from 'preact-iso'
import type { PickingTask } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { paths as handheld } from '../../handheld/paths.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { Deadline } from '../../ui/deadline.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { ClientLink } from '../parts/client-link.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { HandheldLink } from '../parts/handheld-link.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { Paper } from '../parts/paper.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { marksWords } from './words.ts'

export default function PickingTaskPage() {
  const id = useRoute().params.id ?? ''
  const { data, error, reload } = useAnswer(
    `picking task ${id}`,
    (signal) => staff('GET /picking-tasks/{id}', { path: { id }, signal }),
    { refreshMs: 10_000 },
  )
  if (data === undefined) return <NotOpened error={error} retry={reload} />
  const lines = data.lines ?? []
  return (
    <div class="stack">
      <Heading
        title={`Сборка ${data.shipment_external_id}`}
        about={
          <>
            {data.marketplace} · <ClientLink id={data.client_id} name={data.client_name} />
          </>
        }
      >
        {data.status === 'OPEN' && <Actions task={data} reload={reload} />}
        <a class="button" href={pathOf('shipment', data.shipment_id)}>
          Отгрузка
        </a>
        <Paper kind="picking-task" id={id} label="Лист сборки" />
      </Heading>
      <Failure error={error} retry={reload} />
      <div class="object">
        <Table
          name="Что собрать"
          rows={lines}
          columns={columns}
          keyOf={(line) => String(lines.indexOf(line))}
          files={<ExportLinks list="picking-lines" filter={{ picking_task_id: id }} />}
          empty={<div class="empty">Собирать нечего: в отгрузке нет заказов.</div>}
        />
        <div class="stack">
          <About task={data} />
          <ObjectJournal id={id} version={data.packed_count} />
        </div>
      </div>
    </div>
  )
}

type TaskLine = NonNullable<PickingTask['lines']>[number]

const columns: readonly Column<TaskLine>[] = [
  {
    title: 'Заказ',
    cell: ({ order_id: id, order_external_id: name }) => <a href={pathOf('order', id)}>{name}</a>,
  },
  {
    title: 'Товар',
    cell: ({ name, barcode, set }) => (
      <>
        <span class="name">{name}</span>
        <code class="small">{barcode}</code>
        {set !== undefined && <span class="small quiet">для набора «{set.name}»</span>}
      </>
    ),
  },
  { title: 'Собрано', end: true, cell: ({ picked, qty }) => `${picked} из ${qty}` },
  { title: 'Проверено', end: true, cell: ({ checked }) => number(checked) },
  { title: 'Срок', cell: ({ packed_at: done, deadline }) => !done && <Deadline at={deadline} /> },
  {
    title: 'Замечания',
    cell: (line) =>
      [
        line.order_status === 'CANCELLED' && 'заказ отменён, собирать не нужно',
        marksWords(line.required_marks),
        ...line.notes,
        line.comment,
      ]
        .filter(Boolean)
        .join(', '),
  },
]

interface ActionsProps {
  readonly task: PickingTask
  readonly reload: () => void
}

/** Who picks: until the shipment is closed. */
function Actions({ task: { id, claim }, reload }: ActionsProps) {
  const { user } = useSession()
  const path = { id }
  const act = (call: () => Promise<unknown>) => async () => {
    await call()
    reload()
  }
  const giveTo = (user_id: string) =>
    act(() => staff('POST /picking-tasks/{id}/take-over', { path, body: { user_id } }))
  return (
    <>
      {claim === null && (
        <ActionButton
          label="Взять"
          act={act(() => staff('POST /picking-tasks/{id}/claim', { path }))}
        />
      )}
      {claim?.user_id === user.id && (
        <ActionButton
          label="Освободить"
          act={act(() => staff('POST /picking-tasks/{id}/release', { path }))}
        />
      )}
      {claim !== null && claim.user_id !== user.id && isAtLeast(user, 'manager') && (
        <ActionButton
          label="Забрать себе"
          act={giveTo(user.id)}
          said={`Задание теперь у вас, раньше его собирал ${claim.name}`}
          undo={giveTo(claim.user_id)}
        />
      )}
      <HandheldLink href={handheld.picking(id)} />
    </>
  )
}

function About({ task }: { readonly task: PickingTask }) {
  return (
    <section class="panel" aria-label="О задании">
      <Facts
        of={{
          Срок: task.status === 'OPEN' && <Deadline at={task.deadline} />,
          'Собрано заказов': `${number(task.packed_count)} из ${number(task.orders_count)}`,
          Отменено: task.cancelled_count > 0 && number(task.cancelled_count),
          Собирает: task.claim?.name,
          'Освободится само': task.claim && <Moment at={task.claim.ends_at} />,
          Открыто: <Moment at={task.opened_at} />,
          Закончено: task.done_at && <Moment at={task.done_at} />,
        }}
      />
    </section>
  )
}
