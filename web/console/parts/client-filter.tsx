import { useAddress } from '../../ui/address.ts'
import { ClientPicker } from './client-picker.tsx'

/** The client of a list, in the address. */
export function ClientFilter({ label = 'Клиент' }: { readonly label?: string }) {
  const { query, go } = useAddress()
  return (
    <ClientPicker
      label={label}
      clientId={query.client_id}
      onPick={(id) => go({ client_id: id, cursor: undefined })}
    />
  )
}
