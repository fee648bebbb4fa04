import { useRoute } from 'preact-iso'
import type { Client } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Heading } from '../../ui/heading.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChangeTable } from '../journals/change-table.tsx'
import { ClientMoney } from '../money/client-money.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { listOf, paths } from '../paths.ts'
import { maySeeMoney } from '../rooms.ts'
import { Cabinets } from './cabinets.tsx'
import { ClientSettings } from './client-settings.tsx'
import { ClientUsersTab } from './client-users.tsx'
import { Figures } from './figures.tsx'
import { Keys } from './keys.tsx'
import { Products } from './products.tsx'
import { Webhooks } from './webhooks.tsx'

const tabs = {
  cabinets: 'Кабинеты',
  users: 'Пользователи',
  keys: 'Ключи API',
  webhooks: 'Вебхуки',
  products: 'Товары',
  figures: 'Показатели',
  money: 'Деньги',
  journal: 'Журнал',
  settings: 'Настройки',
} as const

const { money, ...tabsWithoutMoney } = tabs

/** Where the client's goods are seen. */
const goods = {
  Остатки: paths.stock,
  Приёмки: paths.receipts,
  Заказы: paths.orders,
  Отгрузки: paths.shipments,
} as const

type Tab = keyof typeof tabs

export default function ClientPage() {
  const { params } = useRoute()
  const { query } = useAddress()
  const { user } = useSession()
  const id = params.id ?? ''
  const {
    data: client,
    error,
    reload,
  } = useAnswer(`client ${id}`, (signal) => staff('GET /clients/{id}', { path: { id }, signal }))
  if (client === undefined) return <NotOpened error={error} retry={reload} />
  const seen = maySeeMoney(user) ? tabs : tabsWithoutMoney
  const tab: Tab = query.tab !== undefined && query.tab in seen ? (query.tab as Tab) : 'cabinets'
  return (
    <div class="stack">
      <Heading
        title={client.name}
        about={`ИНН ${client.inn ?? 'не указан'} · склад ${client.warehouse_code}`}
      >
        {Object.entries(goods).map(([title, path]) => (
          <a key={path} class="button" href={listOf(path, { client_id: id })}>
            {title}
          </a>
        ))}
      </Heading>
      <Tabs name="Разделы клиента" tabs={seen} current={tab} />
      <TabContent tab={tab} client={client} reload={reload} />
    </div>
  )
}

interface TabContentProps {
  readonly tab: Tab
  readonly client: Client
  readonly reload: () => void
}

function TabContent({ tab, client, reload }: TabContentProps) {
  const { id } = client
  if (tab === 'users') return <ClientUsersTab clientId={id} />
  if (tab === 'webhooks') return <Webhooks clientId={id} />
  if (tab === 'keys') return <Keys clientId={id} />
  if (tab === 'products') return <Products clientId={id} />
  if (tab === 'figures') return <Figures clientId={id} />
  if (tab === 'money') return <ClientMoney client={client} />
  if (tab === 'journal') return <ChangeTable filter={{ client_id: id }} />
  if (tab === 'settings') return <ClientSettings client={client} onSaved={reload} />
  return <Cabinets clientId={id} />
}
