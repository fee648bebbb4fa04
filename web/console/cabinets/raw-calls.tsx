import { useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { RecordedCall, StaffCabinet } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { RawCall } from './raw-call.tsx'

const recordedHours = 24

interface RawCallsProps {
  readonly cabinet: StaffCabinet
  readonly onChanged: () => void
}

/** The marketplace's own words: calls are kept for a while when somebody must find out why. */
export function RawCalls({ cabinet, onChanged }: RawCallsProps) {
  const { query, go } = useAddress()
  const [version, setVersion] = useState(0)
  const changed = () => {
    setVersion((last) => last + 1)
    onChanged()
  }
  return (
    <div class="stack">
      <Recording cabinet={cabinet} onChanged={changed} />
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          go({
            path: String(form.get('path')),
            status: String(form.get('status')),
            cursor: undefined,
          })
        }}
      >
        <div class="field">
          <label for="call-path">Часть пути</label>
          <input id="call-path" name="path" defaultValue={query.path ?? ''} />
        </div>
        <div class="field">
          <label for="call-status">Код ответа</label>
          <input
            id="call-status"
            name="status"
            inputMode="numeric"
            defaultValue={query.status ?? ''}
          />
        </div>
        <button type="submit">Показать</button>
      </form>
      <List
        name="Вызовы маркетплейса"
        of={`${cabinet.id} ${query.path ?? ''} ${query.status ?? ''}`}
        version={version}
        columns={columnsOf(cabinet.marketplace)}
        keyOf={({ id }) => String(id)}
        ask={({ signal, ...page }) =>
          staff('GET /cabinets/{id}/calls', {
            path: { id: cabinet.id },
            query: { path: query.path, status: numberOf(query.status), ...page },
            signal,
          })
        }
        files={
          <ExportLinks
            list="cabinet-calls"
            filter={{ cabinet_id: cabinet.id, path: query.path, status: query.status }}
          />
        }
        empty="Вызовов нет. Включите запись и запустите синхронизацию."
      />
    </div>
  )
}

/** A status that is no number goes as it is: the service says what it should be. */
function numberOf(text: string | undefined): number | undefined {
  return text ? Number(text) : undefined
}

function Recording({ cabinet, onChanged }: RawCallsProps) {
  const path = { id: cabinet.id }
  const until = cabinet.calls_recorded_until
  return (
    <div class="row">
      {until === null ? (
        <ActionButton
          label="Записывать сутки"
          primary
          act={async () => {
            await staff('PUT /cabinets/{id}/recording', { path, body: { hours: recordedHours } })
            onChanged()
          }}
        />
      ) : (
        <>
          <span>
            Записываются до <Moment at={until} />
          </span>
          <ActionButton
            label="Больше не записывать"
            act={async () => {
              await staff('DELETE /cabinets/{id}/recording', { path })
              onChanged()
            }}
          />
        </>
      )}
      <a class="button" href={`/staff/v1/cabinets/${cabinet.id}/calls/export`} download>
        Скачать
      </a>
      <ConfirmButton
        label="Удалить"
        question={`Удалить записанные вызовы кабинета ${quoted(cabinet.name)}?`}
        consequence="Записи исчезнут насовсем. На заказы и отгрузки это не влияет."
        danger
        act={async () => {
          await staff('DELETE /cabinets/{id}/calls', { path })
          onChanged()
        }}
      />
    </div>
  )
}

const columnsOf = (marketplace: StaffCabinet['marketplace']): readonly Column<RecordedCall>[] => [
  { title: 'Когда', cell: ({ time }) => <Moment at={time} /> },
  {
    title: 'Вызов',
    cell: (call) => <RawCall marketplace={marketplace} call={call} />,
  },
  {
    title: 'Ответ',
    cell: ({ status, failure }) => {
      if (status === null) return <Badge tone="bad" word={failure ?? 'нет ответа'} />
      return <Badge tone={status < 400 ? 'good' : 'bad'} word={String(status)} />
    },
  },
  { title: 'мс', cell: ({ duration_ms: duration }) => duration, end: true },
]
