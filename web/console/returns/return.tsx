import { useRoute } from 'preact-iso'
import { allowsReturnBatchVerb } from '../../../src/warehouse/returns/state.ts'
import type { ReturnBatchContent, ReturnScan } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { paths as handheld } from '../../handheld/paths.ts'
import { staff } from '../../staff/api.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number, plural } from '../../words/format.ts'
import { returnBatchTones, returnBatchWords } from '../../words/statuses.ts'
import { ChargeLink } from '../money/charge-link.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { HandheldLink } from '../parts/handheld-link.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { ObjectPhotos } from '../parts/object-photos.tsx'
import { Paper } from '../parts/paper.tsx'
import { pathOf } from '../paths.ts'

export default function ReturnPage() {
  const id = useRoute().params.id ?? ''
  const { data, error, reload } = useAnswer(
    `return ${id}`,
    (signal) => staff('GET /returns/{id}', { path: { id }, signal }),
    { refreshMs: 10_000 },
  )
  if (data === undefined) return <NotOpened error={error} retry={reload} />
  return (
    <div class="stack">
      <Heading
        title={`Приём возвратов ${data.number}`}
        about={
          <>
            <Badge tone={returnBatchTones[data.status]} word={returnBatchWords[data.status]} />{' '}
            <ClientLink id={data.client_id} name={data.client_name} />
          </>
        }
      >
        {allowsReturnBatchVerb(data.status, 'finish') && (
          <FinishButton batch={data} reload={reload} />
        )}
        {allowsReturnBatchVerb(data.status, 'scan') && (
          <HandheldLink href={handheld.returnBatch(id)} />
        )}
        <Paper kind="return" id={id} label="Акт" />
      </Heading>
      <Failure error={error} retry={reload} />
      <div class="object">
        <div class="stack">
          <Expected batch={data} />
          <Came batch={data} reload={reload} />
        </div>
        <div class="stack">
          <About batch={data} />
          <ObjectPhotos of="returns" id={id} />
          <ObjectJournal id={id} version={`${data.status} ${data.came_qty}`} />
        </div>
      </div>
    </div>
  )
}

interface BatchProps {
  readonly batch: ReturnBatchContent
  readonly reload: () => void
}

function FinishButton({ batch, reload }: BatchProps) {
  const { id, number: name, missing_qty: missing } = batch
  return (
    <ConfirmButton
      primary
      label="Закончить"
      question={`Закончить приём ${name}?`}
      consequence={
        missing > 0
          ? `Не приехало ${plural(missing, 'единица', 'единицы', 'единиц')}: они останутся в списке ожидаемых.`
          : 'Принимать в него больше будет нельзя.'
      }
      act={async () => {
        await staff('POST /returns/{id}/finish', { path: { id } })
        reload()
      }}
    />
  )
}

type ExpectedLine = ReturnBatchContent['expected'][number]

const expectedColumns: readonly Column<ExpectedLine>[] = [
  {
    title: 'Заказ',
    cell: ({ order_id: id, external_id: name }) =>
      id === null ? name : <a href={pathOf('order', id)}>{name}</a>,
  },
  { title: 'Товар', cell: ({ name, barcode }) => <span class="name">{name ?? barcode}</span> },
  { title: 'Ждали', end: true, cell: ({ qty }) => number(qty) },
  { title: 'Приехало', end: true, cell: ({ came_qty: qty }) => number(qty) },
]

function Expected({ batch: { id, expected } }: Pick<BatchProps, 'batch'>) {
  if (expected.length === 0) return null
  return (
    <>
      <h2>Чего ждали</h2>
      <Table
        name="Чего ждали"
        rows={expected}
        columns={expectedColumns}
        keyOf={(line) => String(expected.indexOf(line))}
        files={<ExportLinks list="return-lines" filter={{ return_id: id }} />}
      />
    </>
  )
}

const conditions: Readonly<Record<ReturnScan['condition'], readonly [Tone, string]>> = {
  sellable: ['good', 'Можно продавать'],
  damaged: ['bad', 'Повреждён'],
  unknown: ['warn', 'Не осмотрен'],
}

function Came({ batch: { id, status, scans }, reload }: BatchProps) {
  const canUndo = allowsReturnBatchVerb(status, 'undo')
  const undo = async (scan: string) => {
    await staff('POST /returns/{id}/scans/{scan_id}/undo', { path: { id, scan_id: scan } })
    reload()
  }
  const columns: readonly Column<ReturnScan>[] = [
    { title: 'Когда', cell: ({ scanned_at: at }) => <Moment at={at} /> },
    { title: 'Товар', cell: ({ name }) => <span class="name">{name}</span> },
    {
      title: 'Заказ',
      cell: ({ order_id: order, order_external_id: name }) =>
        order && <a href={pathOf('order', order)}>{name}</a>,
    },
    {
      title: 'Состояние',
      main: true,
      cell: ({ condition, reason_label: reason }) => {
        const [tone, word] = conditions[condition]
        return (
          <>
            <Badge tone={tone} word={word} /> {reason}
          </>
        )
      },
    },
    { title: 'Ждали', cell: ({ expected }) => (expected ? 'да' : 'нет') },
    {
      title: 'Отмена',
      cell: (scan) =>
        scan.undone ? (
          <span class="quiet">отменён</span>
        ) : (
          canUndo && <ActionButton label="Отменить" act={() => undo(scan.scan_id)} />
        ),
    },
  ]
  return (
    <>
      <h2>Что приехало</h2>
      <Table
        name="Что приехало"
        rows={scans}
        columns={columns}
        keyOf={({ scan_id: scan }) => scan}
        files={<ExportLinks list="return-scans" filter={{ return_id: id }} />}
        empty={<div class="empty">Пока ничего: единицы сканируют на терминале.</div>}
      />
    </>
  )
}

function About({ batch }: Pick<BatchProps, 'batch'>) {
  return (
    <section class="panel stack" aria-label="О приёме">
      <Facts
        of={{
          Ждали: number(batch.expected_qty),
          Приехало: number(batch.came_qty),
          'Не ждали': batch.unexpected_qty > 0 && number(batch.unexpected_qty),
          'Не приехало': batch.missing_qty > 0 && number(batch.missing_qty),
          'Продать можно': number(batch.sellable_qty),
          Повреждено: number(batch.damaged_qty),
          'Не осмотрено': number(batch.unknown_qty),
          Комментарий: batch.comment,
          Начат: <Moment at={batch.created_at} />,
          Закончен: batch.finished_at && <Moment at={batch.finished_at} />,
        }}
      />
      <ChargeLink of="return" object={batch} />
    </section>
  )
}
