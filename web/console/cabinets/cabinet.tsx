import { useRoute } from 'preact-iso'
import type { StaffCabinet } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Heading } from '../../ui/heading.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChangeTable } from '../journals/change-table.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { pathOf } from '../paths.ts'
import { CabinetSettings } from './cabinet-settings.tsx'
import { CabinetState } from './cabinet-state.tsx'
import { CabinetWarehouses } from './cabinet-warehouses.tsx'
import { Observation } from './observation.tsx'
import { RawCalls } from './raw-calls.tsx'
import { RemoteCommands } from './remote-commands.tsx'
import { ShippingDefaults } from './shipping-defaults.tsx'

const tabs = {
  state: 'Состояние',
  warehouses: 'Склады',
  shipping: 'Пункты отгрузки',
  tasks: 'Поручения',
  calls: 'Вызовы',
  observation: 'Наблюдение',
  journal: 'Журнал',
  settings: 'Настройки',
} as const

export default function CabinetPage() {
  const { params } = useRoute()
  const { query } = useAddress()
  const id = params.id ?? ''
  const answer = useAnswer(
    `cabinet ${id}`,
    (signal) => staff('GET /cabinets/{id}', { path: { id }, signal }),
    { refreshMs: 10_000 },
  )
  const { data: cabinet, error, reload } = answer
  if (cabinet === undefined) return <NotOpened error={error} retry={reload} />
  const tab = query.tab !== undefined && query.tab in tabs ? query.tab : 'state'
  return (
    <div class="stack">
      <Heading
        title={cabinet.name}
        about={
          <>
            Кабинет {cabinet.marketplace} ·{' '}
            <a href={pathOf('client', cabinet.client_id)}>к клиенту</a>
          </>
        }
      />
      <Tabs name="Разделы кабинета" tabs={tabs} current={tab} />
      <TabContent tab={tab} cabinet={cabinet} reload={reload} />
    </div>
  )
}

interface TabContentProps {
  readonly tab: string
  readonly cabinet: StaffCabinet
  readonly reload: () => void
}

function TabContent({ tab, cabinet, reload }: TabContentProps) {
  if (tab === 'warehouses') return <CabinetWarehouses cabinet={cabinet} onSaved={reload} />
  if (tab === 'shipping') return <ShippingDefaults cabinet={cabinet} />
  if (tab === 'tasks') return <RemoteCommands cabinetId={cabinet.id} />
  if (tab === 'calls') return <RawCalls cabinet={cabinet} onChanged={reload} />
  if (tab === 'observation') return <Observation cabinet={cabinet} />
  if (tab === 'journal') return <ChangeTable filter={{ object_id: cabinet.id }} />
  if (tab === 'settings') return <CabinetSettings cabinet={cabinet} onSaved={reload} />
  return <CabinetState cabinet={cabinet} reload={reload} />
}
