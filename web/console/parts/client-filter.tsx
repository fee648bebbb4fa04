import { useAddress } from '../../ui/address.ts'
import type { Column } from '../../ui/lists/table.tsx'
import { ClientPicker } from './client-picker.tsx'

/** The client of a list, in the address. */
export function ClientFilter() {
  const { query, go } = useAddress()
  return (
    <ClientPicker
      label="Клиент"
      clientId={query.client_id}
      onPick={(id) => go({ client_id: id, cursor: undefined })}
    />
  )
}

/** Whose each row of a list is; a list can be ordered by it. */
export const clientColumn: Column<{ readonly client_name: string }, 'client'> = {
  title: 'Клиент',
  sort: 'client',
  cell: ({ client_name: name }) => <span class="name">{name}</span>,
}
