import { afterPrintVerb, printStatuses } from '../../../src/documents/printing/state.ts'
import type { PrintJob } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Heading } from '../../ui/heading.tsx'
import type { BulkAction } from '../../ui/lists/bulk.tsx'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { printTones, printWords } from '../../words/statuses.ts'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenLink } from '../parts/open-link.tsx'
import { paths } from '../paths.ts'

const again: BulkAction<PrintJob> = {
  label: 'Напечатать ещё раз',
  question: (count) => `Напечатать ещё раз заданий: ${count}?`,
  consequence: 'Они снова встанут в очередь, станция напечатает их сама.',
  titleOf: ({ title }) => title,
  because: ({ status }) =>
    afterPrintVerb(status, 'again') === undefined ? 'Среди выбранных всё ещё в очереди' : undefined,
  act: ({ id }) => staff('PATCH /print-jobs/{id}', { path: { id }, body: { status: 'QUEUED' } }),
}

/** What the print stations were asked for, and what became of it. */
export default function PrintJobs() {
  const { query } = useAddress()
  const stations = useStations()
  const filter = { station_id: query.station_id, status: oneOf(query.status, printStatuses) }
  const columns: readonly Column<PrintJob>[] = [
    {
      title: 'Что печатают',
      cell: ({ id, title }) => (
        <OpenLink
          button={false}
          href={`/staff/v1/print-jobs/${encodeURIComponent(id)}/content`}
          label={title}
        />
      ),
    },
    {
      title: 'Состояние',
      main: true,
      cell: ({ status, reason }) => (
        <>
          <Badge tone={printTones[status]} word={printWords[status]} />
          {reason !== null && <p class="small">{reason}</p>}
        </>
      ),
    },
    {
      title: 'Станция',
      cell: ({ taken_station_id: taken, station_id: wanted }) =>
        stations.get(taken ?? wanted ?? '') ?? <span class="quiet">любая</span>,
    },
    { title: 'Склад', cell: ({ warehouse_code: code }) => code },
    { title: 'Экземпляров', end: true, cell: ({ copies }) => copies },
    { title: 'Попросили', cell: ({ created_at: at }) => <Moment at={at} /> },
    { title: 'Закончено', cell: ({ ended_at: at }) => <Moment at={at} /> },
  ]
  return (
    <div class="stack">
      <Heading title="Задания печати" about="Хранятся две недели">
        <a class="button" href={paths.printing}>
          Станции
        </a>
      </Heading>
      <Filters>
        <ChoiceFilter name="status" label="Состояние" options={printWords} />
        <ChoiceFilter name="station_id" label="Станция" options={Object.fromEntries(stations)} />
      </Filters>
      <List
        name="Задания печати"
        of={JSON.stringify(filter)}
        columns={columns}
        keyOf={({ id }) => id}
        bulk={[again]}
        ask={({ signal, ...page }) =>
          staff('GET /print-jobs', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="print-jobs" filter={filter} />}
        empty="Заданий нет: их дают кнопкой «Напечатать на станции»."
      />
    </div>
  )
}

/** Names of the print stations by their ids. */
function useStations(): ReadonlyMap<string, string> {
  const { data } = useAnswer('stations', (signal) =>
    staff('GET /print-stations', { query: { limit: 200 }, signal }),
  )
  return new Map((data?.items ?? []).map(({ id, name }) => [id, name]))
}
