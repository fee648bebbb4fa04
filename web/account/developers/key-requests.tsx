import { useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { KeyRequest } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Check, Form, TextField } from '../../ui/forms/form.tsx'
import { listRefreshMs } from '../../ui/lists/list.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { account } from '../api.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { ListFiles } from '../parts/list-files.tsx'
import { Badge, Loaded } from '../parts/page.tsx'

/** Keys that an owner asks for: the warehouse decides, and the owner looks at the value once. */
export function KeyRequests({ onChange }: { readonly onChange: () => void }) {
  const requests = useAnswer('key requests', (signal) => account('GET /key-requests', { signal }), {
    refreshMs: listRefreshMs,
  })
  const [shown, setShown] = useState<{ readonly name: string; readonly key: string }>()
  const changed = () => {
    requests.reload()
    onChange()
  }
  const reveal = async (id: string, password: string) => {
    const revealed = await account('POST /key-requests/{id}/reveal', {
      path: { id },
      body: { password },
    })
    setShown({ name: revealed.request.name, key: revealed.key })
    changed()
  }
  return (
    <>
      {shown !== undefined && (
        <ShownOnce
          title={`Ключ ${quoted(shown.name)}`}
          secret={shown.key}
          hint="Сохраните его сейчас в своей программе: больше ключ не увидит никто, и на складе тоже."
          onDone={() => setShown(undefined)}
        />
      )}
      <Ask asked={requests.reload} />
      <Loaded answer={requests}>
        {({ items }) =>
          items.length > 0 && (
            <>
              <h2>Заявки на ключи</h2>
              <Table
                name="Заявки на ключи"
                rows={items}
                keyOf={({ id }) => id}
                columns={columnsOf(reveal, requests.reload)}
                files={<ListFiles list="key-requests" />}
              />
              <h2>Выпущенные ключи</h2>
            </>
          )
        }
      </Loaded>
    </>
  )
}

function columnsOf(
  reveal: (id: string, password: string) => Promise<void>,
  withdrawn: () => void,
): readonly Column<KeyRequest>[] {
  return [
    { title: 'Заявка', cell: ({ name }) => <span class="long">{name}</span> },
    { title: 'Зачем', cell: ({ purpose }) => <span class="long">{purpose}</span> },
    { title: 'Заявки на приёмку', cell: (it) => (it.receipts_enabled ? 'будет подавать' : 'нет') },
    { title: 'Просит', cell: ({ asked_by }) => <span class="long">{asked_by}</span> },
    { title: 'Когда', cell: ({ created_at }) => <Moment at={created_at} /> },
    { title: 'Состояние', main: true, cell: (request) => <State request={request} /> },
    {
      title: 'Действие',
      cell: ({ id, name, purpose, receipts_enabled, status }) => (
        <>
          {status === 'ISSUED' && (
            <ConfirmButton
              label="Показать ключ"
              question={`Показать ключ ${quoted(name)}? Второй раз его не увидеть: приготовьтесь сохранить.`}
              asksPassword
              act={(password) => reveal(id, password)}
            />
          )}
          {status === 'WAITING' && (
            <ActionButton
              label="Отменить"
              act={async () => {
                await account('POST /key-requests/{id}/withdraw', { path: { id } })
                withdrawn()
              }}
              said={`Заявка на ключ ${quoted(name)} отменена`}
              undo={async () => {
                await account('POST /key-requests', { body: { name, purpose, receipts_enabled } })
                withdrawn()
              }}
            />
          )}
        </>
      ),
    },
  ]
}

function State({ request: { status, reason, reveal_until } }: { readonly request: KeyRequest }) {
  switch (status) {
    case 'WAITING':
      return <Badge tone="busy">Ждёт решения склада</Badge>
    case 'WITHDRAWN':
      return <Badge tone="plain">Отменена</Badge>
    case 'DECLINED':
      return (
        <>
          <Badge tone="bad">Склад отказал</Badge> <span class="long">{reason}</span>
        </>
      )
    case 'ISSUED':
      return (
        <>
          <Badge tone="warn">Ключ готов</Badge> Посмотрите его до <Moment at={reveal_until} />,
          иначе он отзовётся.
        </>
      )
    case 'REVEALED':
      return <Badge tone="good">Ключ у вас</Badge>
    case 'REVOKED':
      return <Badge tone="plain">Ключ отозван: его не посмотрели</Badge>
  }
}

function Ask({ asked }: { readonly asked: () => void }) {
  const [round, setRound] = useState(0)
  return (
    <details key={round} class="panel">
      <summary>Попросить ключ</summary>
      <Form
        submit="Отправить заявку"
        busy="Отправляем…"
        act={async (values) => {
          await account('POST /key-requests', {
            body: {
              name: values.text('name'),
              purpose: values.text('purpose'),
              receipts_enabled: values.isChecked('receipts_enabled'),
            },
          })
          setRound((last) => last + 1)
          asked()
        }}
      >
        <TextField
          name="name"
          label="Имя ключа"
          hint="Чья это программа, например 1С"
          maxLength={100}
          required
        />
        <TextField
          name="purpose"
          label="Зачем ключ"
          hint="Прочитает менеджер склада. Например: сверять остатки каждый час"
          maxLength={500}
          required
        />
        <Check name="receipts_enabled" label="Программа будет подавать заявки на приёмку" />
      </Form>
    </details>
  )
}
