import { useEffect } from 'preact/hooks'
import type { Client } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'

const columns: readonly Column<Client>[] = [
  { title: 'Клиент', cell: ({ name }) => name },
  { title: 'ИНН', cell: ({ inn }) => inn ?? <span class="quiet">не указан</span> },
  { title: 'Склад', cell: ({ warehouse_code: code }) => code },
]

/** Stands where one client's list will stand, until a client is chosen. `what` is the question above the clients. */
export function ChooseClient({ what }: { readonly what: string }) {
  const { hrefWith } = useAddress()
  return (
    <>
      <p class="quiet">{what}</p>
      <List
        name="Клиенты"
        columns={columns}
        keyOf={({ id }) => id}
        href={({ id }) => hrefWith({ client_id: id, cursor: undefined })}
        ask={({ signal, ...page }) => staff('GET /clients', { query: page, signal })}
        empty="Клиентов ещё нет. Заведите первого в разделе «Клиенты»."
      />
    </>
  )
}

/** The client that the address names. Where there is only one client, the address gets it by itself. */
export function useChosenClient(): string | undefined {
  const {
    query: { client_id: chosen },
    go,
  } = useAddress()
  const { data } = useAnswer(`the only client, if not ${chosen ?? 'chosen'}`, async (signal) =>
    chosen === undefined ? staff('GET /clients', { query: { limit: 2 }, signal }) : undefined,
  )
  const only = data?.items.length === 1 ? data.items[0]?.id : undefined
  useEffect(() => {
    if (chosen === undefined && only !== undefined) go({ client_id: only }, true)
  }, [chosen, only])
  return chosen
}
