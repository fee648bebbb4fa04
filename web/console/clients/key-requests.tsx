import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { KeyRequest } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { TextField } from '../../ui/forms/form.tsx'
import { listRefreshMs } from '../../ui/lists/list.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ExportLinks } from '../parts/export-links.tsx'

interface KeyRequestsProps {
  readonly clientId: string
  readonly onIssued: () => void
}

/** Keys that the client's owners asked for in the account; nothing where they never did. */
export function KeyRequests({ clientId, onIssued }: KeyRequestsProps) {
  const { data, error, reload } = useAnswer(
    `key requests of ${clientId}`,
    (signal) => staff('GET /clients/{id}/key-requests', { path: { id: clientId }, signal }),
    { refreshMs: listRefreshMs },
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (data.items.length === 0) return null
  const decided = () => {
    reload()
    onIssued()
  }
  return (
    <>
      <h2>Заявки на ключи</h2>
      <Table
        name="Заявки на ключи"
        rows={data.items}
        keyOf={({ id }) => id}
        columns={columnsOf(clientId, decided)}
        files={<ExportLinks list="key-requests" filter={{ client_id: clientId }} />}
      />
    </>
  )
}

function columnsOf(clientId: string, decided: () => void): readonly Column<KeyRequest>[] {
  return [
    { title: 'Ключ', cell: ({ name }) => name },
    { title: 'Зачем', cell: ({ purpose }) => purpose },
    { title: 'Заявки', cell: (asked) => (asked.receipts_enabled ? 'будет подавать' : 'нет') },
    { title: 'Просит', cell: ({ asked_by }) => asked_by },
    { title: 'Когда', cell: ({ created_at: at }) => <Moment at={at} /> },
    { title: 'Состояние', main: true, cell: (request) => <State request={request} /> },
    {
      title: 'Действия',
      cell: (request) => <Decision clientId={clientId} request={request} decided={decided} />,
    },
  ]
}

function State({ request: { status, reason, reveal_until } }: { readonly request: KeyRequest }) {
  switch (status) {
    case 'WAITING':
      return <Badge tone="warn" word="ждёт решения" />
    case 'WITHDRAWN':
      return <Badge tone="quiet" word="отменена клиентом" />
    case 'DECLINED':
      return (
        <>
          <Badge tone="quiet" word="отказано" /> {reason}
        </>
      )
    case 'ISSUED':
      return (
        <>
          <Badge tone="now" word="ключ выпущен" /> клиент посмотрит его до{' '}
          <Moment at={reveal_until} />
        </>
      )
    case 'REVEALED':
      return <Badge tone="good" word="ключ у клиента" />
    case 'REVOKED':
      return <Badge tone="quiet" word="ключ отозван: его не посмотрели" />
  }
}

interface DecisionProps {
  readonly clientId: string
  readonly request: KeyRequest
  readonly decided: () => void
}

function Decision({ clientId, request: { id, name, status }, decided }: DecisionProps) {
  if (status !== 'WAITING') return null
  const path = { id: clientId, request_id: id }
  return (
    <div class="row">
      <ConfirmButton
        label="Выпустить ключ"
        question={`Выпустить ключ ${quoted(name)}?`}
        consequence="Ключ увидит только владелец в личном кабинете, один раз. Если он не посмотрит за 7 дней, ключ отзовётся."
        act={async () => {
          await staff('POST /clients/{id}/key-requests/{request_id}/accept', { path })
          showToast(`Ключ ${quoted(name)} выпущен: клиент увидит его в личном кабинете`)
          decided()
        }}
      />
      <ConfirmButton
        label="Отказать"
        question={`Отказать в ключе ${quoted(name)}?`}
        consequence="Причину клиент прочитает в личном кабинете."
        act={async (values) => {
          await staff('POST /clients/{id}/key-requests/{request_id}/decline', {
            path,
            body: { reason: values.text('reason') },
          })
          showToast(`В ключе ${quoted(name)} отказано`)
          decided()
        }}
      >
        <TextField name="reason" label="Почему" maxLength={500} required />
      </ConfirmButton>
    </div>
  )
}
