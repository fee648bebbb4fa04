import { useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { ApiKey } from '../../api/account-calls.ts'
import { List } from '../../ui/lists/list.tsx'
import { Moment } from '../../ui/moment.tsx'
import { account } from '../api.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { ListFiles } from '../parts/list-files.tsx'
import { Badge, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { KeyRequests } from './key-requests.tsx'
import { Packages } from './packages.tsx'
import { Programs } from './programs.tsx'

export function Keys() {
  const { session, may } = useSession()
  const [round, setRound] = useState(0)
  const isOwner = session.kind === 'user' && may('owner')
  const revoke = async (id: string, password: string) => {
    await account('POST /keys/{id}/revoke', { path: { id }, body: { password } })
    setRound((last) => last + 1)
  }
  return (
    <Page title="Ключи">
      <p class="quiet">
        {session.kind === 'user'
          ? 'Новый ключ просит владелец личного кабинета, выпускает менеджер склада. Значение один раз увидит владелец.'
          : 'Другой тестовый ключ со своей песочницей даёт страница входа. Рабочий ключ выпускает менеджер склада.'}
      </p>
      {isOwner && <KeyRequests onChange={() => setRound((last) => last + 1)} />}
      <List<ApiKey>
        of="keys"
        version={round}
        name="Ключи"
        keyOf={({ id }) => id}
        ask={({ signal, ...page }) => account('GET /keys', { query: page, signal })}
        files={<ListFiles list="keys" />}
        empty={
          <p>
            Ключей ещё нет. Попросите ключ у склада, чтобы ваша программа читала остатки и заказы.
          </p>
        }
        columns={[
          { title: 'Имя', cell: ({ name }) => <span class="long">{name}</span> },
          { title: 'Ключ', cell: ({ preview }) => <code class="whole">{preview}</code> },
          {
            title: 'Состояние',
            cell: ({ revoked_at }) =>
              revoked_at === null ? (
                <Badge tone="good">Действует</Badge>
              ) : (
                <Badge tone="bad">
                  Отозван <Moment at={revoked_at} />
                </Badge>
              ),
          },
          {
            title: 'Заявки',
            cell: ({ receipts_enabled }) => (receipts_enabled ? 'может подавать' : 'нет'),
          },
          { title: 'Выпущен', cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: 'Последний запрос',
            cell: ({ last_used_at }) => <Moment at={last_used_at} none="не было" />,
          },
          {
            title: 'Вызовы',
            cell: ({ id }) => <a href={`${paths.calls}?key_id=${id}`}>Журнал</a>,
          },
          ...(isOwner
            ? [
                {
                  title: 'Действие',
                  cell: ({ id, name, revoked_at }: ApiKey) =>
                    revoked_at === null && (
                      <ConfirmButton
                        label="Отозвать"
                        question={`Отозвать ключ ${quoted(name)}? Программа с ним сразу перестанет работать.`}
                        isDangerous
                        asksPassword
                        act={(password) => revoke(id, password)}
                      />
                    ),
                },
              ]
            : []),
        ]}
      />
      <Packages />
      <Programs />
    </Page>
  )
}
