import { useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { PrintStation } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { ExportLinks } from '../parts/export-links.tsx'
import { listOf, paths, stationPage } from '../paths.ts'
import { formatWords } from './formats.ts'
import { NewStation, StationForm } from './station-form.tsx'

/** Computers with printers that print what handhelds and managers ask for. */
export default function Stations() {
  const { query, hrefWith, go } = useAddress()
  const [version, setVersion] = useState(0)
  const changed = () => setVersion((last) => last + 1)
  const saved = () => {
    changed()
    go({ form: undefined, station: undefined })
  }
  const active = oneOf(query.active, ['true', 'false'])
  return (
    <div class="stack">
      <Heading
        title="Станции печати"
        about={
          <>
            Компьютер с принтером, на котором открыта страница{' '}
            <a href={stationPage} target="_blank" rel="noreferrer">
              {stationPage}
            </a>
            : она печатает сама
          </>
        }
      >
        <a class="button" href={paths.printJobs}>
          Задания
        </a>
        <a class="button primary" href={hrefWith({ form: 'new', station: undefined })}>
          Завести станцию
        </a>
      </Heading>
      <Beside form={formOf(query, saved)}>
        <Filters>
          <ChoiceFilter
            name="active"
            label="Состояние"
            options={{ true: 'Открытые', false: 'Закрытые' }}
          />
        </Filters>
        <List
          name="Станции печати"
          of={active ?? ''}
          version={version}
          columns={columnsOf((id) => hrefWith({ station: id, form: undefined }), changed)}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /print-stations', { query: { active, ...page }, signal })
          }
          files={<ExportLinks list="print-stations" filter={{ active }} />}
          empty="Станций нет. Заведите станцию и откройте её страницу на компьютере с принтером."
        />
      </Beside>
    </div>
  )
}

function formOf({ form, station }: Readonly<Record<string, string>>, saved: () => void) {
  if (form === 'new') return <NewStation onSaved={saved} />
  return station !== undefined && <StationForm key={station} id={station} onSaved={saved} />
}

function columnsOf(
  hrefOf: (id: string) => string,
  changed: () => void,
): readonly Column<PrintStation>[] {
  return [
    { title: 'Станция', cell: ({ id, name }) => <a href={hrefOf(id)}>{name}</a> },
    { title: 'Склад', cell: ({ warehouse_code: code }) => code },
    {
      title: 'Печатает',
      cell: ({ formats }) => formats.map((format) => formatWords[format]).join(', '),
    },
    {
      title: 'Состояние',
      main: true,
      cell: ({ active }) =>
        active ? <Badge tone="good" word="открыта" /> : <Badge tone="quiet" word="закрыта" />,
    },
    {
      title: 'Ждёт заданий',
      end: true,
      cell: ({ id, waiting }) =>
        waiting === 0 ? (
          number(waiting)
        ) : (
          <a href={listOf(paths.printJobs, { station_id: id })}>{number(waiting)}</a>
        ),
    },
    { title: 'Была на связи', cell: ({ seen_at: at }) => <Moment at={at} none="ещё не была" /> },
    {
      title: 'Действия',
      cell: (station) => <StationSwitch station={station} changed={changed} />,
    },
  ]
}

interface StationSwitchProps {
  readonly station: PrintStation
  readonly changed: () => void
}

function StationSwitch({ station: { id, name, active }, changed }: StationSwitchProps) {
  const put = (next: boolean) => async () => {
    await staff('PATCH /print-stations/{id}', { path: { id }, body: { active: next } })
    changed()
  }
  const said = active
    ? `Станция ${quoted(name)} закрыта: её задания подождут`
    : `Станция ${quoted(name)} открыта`
  return (
    <ActionButton
      label={active ? 'Закрыть' : 'Открыть'}
      act={put(!active)}
      said={said}
      undo={put(active)}
    />
  )
}
