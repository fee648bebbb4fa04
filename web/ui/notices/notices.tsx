import type { Notice } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Badge } from '../badge.tsx'
import { ActionButton } from '../forms/action-button.tsx'
import { AnswerFailure } from '../forms/refusal.tsx'
import { listRefreshMs } from '../lists/list.tsx'
import { type Column, Table } from '../lists/table.tsx'
import { Moment } from '../moment.tsx'
import type { NoticeCalls } from './bell.tsx'
import { NoticeChoices } from './notice-choices.tsx'
import { NoticeWays } from './notice-ways.tsx'

interface NoticeRoomProps {
  readonly calls: NoticeCalls
  /** The page shows one client at a time. */
  readonly ofOneClient: boolean
}

/** What the user was notified of, and how the user wants to be. */
export function NoticeRoom({ calls, ofOneClient }: NoticeRoomProps) {
  const settings = useAnswer('notice settings', calls.settings)
  return (
    <>
      <NoticeList calls={calls} ofOneClient={ofOneClient} />
      <AnswerFailure answer={settings} />
      {settings.data === undefined && settings.error === undefined && (
        <div class="waiting" aria-busy="true" />
      )}
      {settings.data !== undefined && (
        <>
          <NoticeWays settings={settings.data} calls={calls} changed={settings.reload} />
          <NoticeChoices settings={settings.data} keep={calls.keep} changed={settings.reload} />
        </>
      )}
    </>
  )
}

export function NoticeList({ calls, ofOneClient }: NoticeRoomProps) {
  const answer = useAnswer('notices', calls.list, { refreshMs: listRefreshMs })
  const { data, reload } = answer
  return (
    <section class="stack" aria-label="Что случилось">
      <AnswerFailure answer={answer} />
      {ofOneClient && data !== undefined && data.elsewhere > 0 && (
        <p class="notice">
          У других ваших клиентов не прочитано: {data.elsewhere}. Выберите клиента вверху страницы.
        </p>
      )}
      <Table
        name="Уведомления"
        rows={data?.items}
        columns={columnsOf(ofOneClient, (id) => void calls.read([id]))}
        keyOf={({ id }) => id}
        empty={<p class="empty">Пока ничего не случилось: новое появится здесь само.</p>}
      />
      {data !== undefined && data.unread > 0 && (
        <div class="row">
          <ActionButton
            label="Отметить все прочитанными"
            act={() => calls.read(undefined).then(reload)}
          />
        </div>
      )}
    </section>
  )
}

function columnsOf(ofOneClient: boolean, read: (id: string) => void): readonly Column<Notice>[] {
  const client: Column<Notice> = { title: 'Клиент', cell: ({ client_name: name }) => name }
  return [
    {
      title: 'Что случилось',
      cell: ({ id, title, path, read: isRead }) => (
        <a href={path} onClick={() => read(id)}>
          {isRead ? title : <strong>{title}</strong>}
        </a>
      ),
    },
    ...(ofOneClient ? [] : [client]),
    { title: 'Когда', cell: ({ at }) => <Moment at={at} /> },
    {
      title: 'Прочитано',
      cell: ({ read: isRead }) =>
        isRead ? <span class="quiet">да</span> : <Badge tone="now" word="новое" />,
    },
  ]
}
