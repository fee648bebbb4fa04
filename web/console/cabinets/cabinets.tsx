import type { StaffCabinet } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { cabinetColumns, credentialWords } from './states.tsx'

const [cabinet, ...others] = cabinetColumns
const client: Column<StaffCabinet> = {
  title: 'Клиент',
  cell: ({ client_id: id, client_name: name }) => <ClientLink id={id} name={name} />,
}
const columns = [...(cabinet ? [cabinet] : []), client, ...others]

/** The cabinets of all clients, and how their exchange with the marketplaces is. */
export default function Cabinets() {
  const { query } = useAddress()
  const filter = {
    client_id: query.client_id,
    warehouse_code: query.warehouse_code,
    credentials_state: oneOf(
      query.credentials_state,
      Object.keys(credentialWords) as StaffCabinet['credentials_state'][],
    ),
  }
  return (
    <div class="stack">
      <Heading
        title="Кабинеты"
        about="Все клиенты на WB и OZON; новый кабинет подключают у клиента"
      />
      <Filters>
        <ClientFilter />
        <ChoiceFilter name="credentials_state" label="Ключи" options={credentialWords} />
      </Filters>
      <List
        name="Кабинеты"
        of={JSON.stringify(filter)}
        columns={columns}
        keyOf={({ id }) => id}
        ask={({ signal, ...page }) =>
          staff('GET /cabinets', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="cabinets" filter={filter} />}
        empty="Кабинетов не нашли. Сбросьте фильтры или подключите кабинет на странице клиента."
      />
    </div>
  )
}
