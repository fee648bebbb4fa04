import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../ui/lists/filters.tsx'
import { PeriodFilter, periodOf } from '../../ui/lists/period.tsx'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ChangeTable } from './change-table.tsx'

export default function Changes() {
  const { query } = useAddress()
  const { client_id, object_id, actor, request_id } = query
  return (
    <div class="stack">
      <Heading title="Журнал изменений" about="Кто, когда и что изменил на складе" />
      <Filters>
        <ClientFilter />
        <ActorFilter />
        <TextFilter name="request_id" label="Номер запроса" />
        <PeriodFilter />
      </Filters>
      <ChangeTable filter={{ client_id, object_id, actor, request_id, ...periodOf(query) }} />
    </div>
  )
}

function ActorFilter() {
  const { data } = useAnswer('users to choose', (signal) =>
    staff('GET /users', { query: { limit: 200 }, signal }),
  )
  const users = (data?.items ?? []).map(({ id, name }) => [`staff:${id}`, name])
  const options = { ...Object.fromEntries(users), 'command-line': 'Командная строка' }
  return <ChoiceFilter name="actor" label="Кто" options={options} />
}
