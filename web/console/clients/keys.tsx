import { useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { ApiKey, IssuedApiKey } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Check, TextField } from '../../ui/forms/form.tsx'
import { Beside } from '../../ui/heading.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { KeyRequests } from './key-requests.tsx'

export function Keys({ clientId }: { readonly clientId: string }) {
  const { query, go, hrefWith } = useAddress()
  const [version, setVersion] = useState(0)
  const [issued, setIssued] = useState<IssuedApiKey>()
  const refresh = () => setVersion((last) => last + 1)
  const form = query.form === 'new' && (
    <NewKey
      clientId={clientId}
      onIssued={(key) => {
        setIssued(key)
        refresh()
        go({ form: undefined }, true)
      }}
    />
  )
  return (
    <Beside form={form}>
      {issued !== undefined && (
        <ShownOnce
          title={`Ключ ${quoted(issued.name)} выпущен`}
          secret={issued.key}
          hint="Передайте его продавцу сейчас: больше ключ не покажут."
          onDone={() => setIssued(undefined)}
        />
      )}
      <KeyRequests clientId={clientId} onIssued={refresh} />
      <div class="row">
        <a class="button primary" href={hrefWith({ form: 'new' })}>
          Выпустить ключ
        </a>
      </div>
      <List
        name="Ключи API"
        of={clientId}
        version={version}
        columns={columnsOf(refresh)}
        keyOf={({ id }) => id}
        ask={({ signal, ...page }) =>
          staff('GET /clients/{id}/keys', { path: { id: clientId }, query: page, signal })
        }
        files={<ExportLinks list="keys" filter={{ client_id: clientId }} />}
        empty="Ключей ещё нет. Выпустите ключ, чтобы программа продавца читала остатки и заказы."
      />
    </Beside>
  )
}

function columnsOf(refresh: () => void): readonly Column<ApiKey>[] {
  return [
    { title: 'Ключ', cell: ({ name }) => name },
    { title: 'Начало и конец', cell: ({ preview }) => <code>{preview}</code> },
    {
      title: 'Состояние',
      main: true,
      cell: ({ revoked_at: revoked }) =>
        revoked === null ? (
          <Badge tone="good" word="действует" />
        ) : (
          <Badge tone="quiet" word="отозван" />
        ),
    },
    { title: 'Заявки', cell: (key) => (key.receipts_enabled ? 'может подавать' : 'не может') },
    { title: 'Запрос', cell: ({ last_used_at: at }) => <Moment at={at} none="ещё не было" /> },
    { title: 'Действия', cell: (key) => <KeyActions apiKey={key} onDone={refresh} /> },
  ]
}

function KeyActions({ apiKey, onDone }: { readonly apiKey: ApiKey; readonly onDone: () => void }) {
  if (apiKey.revoked_at !== null) return null
  const path = { id: apiKey.id }
  const enabled = !apiKey.receipts_enabled
  return (
    <div class="row">
      <ActionButton
        label={enabled ? 'Разрешить заявки' : 'Запретить заявки'}
        act={async () => {
          await staff('PATCH /keys/{id}', { path, body: { receipts_enabled: enabled } })
          onDone()
        }}
      />
      <ConfirmButton
        label="Отозвать"
        question={`Отозвать ключ ${quoted(apiKey.name)}?`}
        consequence="Программа с этим ключом сразу перестанет работать. Вернуть ключ нельзя, можно выпустить новый."
        danger
        act={async () => {
          await staff('POST /keys/{id}/revoke', { path })
          onDone()
        }}
      />
    </div>
  )
}

interface NewKeyProps {
  readonly clientId: string
  readonly onIssued: (key: IssuedApiKey) => void
}

function NewKey({ clientId, onIssued }: NewKeyProps) {
  return (
    <OpenedForm
      title="Новый ключ"
      submit="Выпустить"
      act={async (values) => {
        const key = await staff('POST /clients/{id}/keys', {
          path: { id: clientId },
          body: {
            name: values.text('name'),
            receipts_enabled: values.isChecked('receipts_enabled'),
          },
        })
        onIssued(key)
      }}
    >
      <TextField
        name="name"
        label="Имя"
        hint="Чья это интеграция, например 1С"
        required
        autofocus
      />
      <Check name="receipts_enabled" label="Может подавать заявки на приёмку" />
    </OpenedForm>
  )
}
