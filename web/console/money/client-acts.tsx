import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { actColumns } from '../../ui/billing/acts.tsx'
import { List } from '../../ui/lists/list.tsx'
import { ExportLinks } from '../parts/export-links.tsx'

export function actsHrefs(
  clientId: string,
  hrefWith: ReturnType<typeof useAddress>['hrefWith'],
): Parameters<typeof actColumns>[0] {
  return {
    charges: ({ period }) => hrefWith({ part: 'charges', month: period, cursor: undefined }),
    act: ({ id }) => `/staff/v1/clients/${clientId}/acts/${id}`,
  }
}

export function ClientActs({ clientId }: { readonly clientId: string }) {
  const { hrefWith } = useAddress()
  return (
    <List
      name="Акты"
      of={clientId}
      columns={actColumns(actsHrefs(clientId, hrefWith))}
      keyOf={({ id }) => id}
      ask={({ signal, ...page }) =>
        staff('GET /clients/{id}/acts', { path: { id: clientId }, query: page, signal })
      }
      files={<ExportLinks list="acts" filter={{ client_id: clientId }} />}
      empty="Актов ещё нет: они составляются, когда закрывают месяц."
    />
  )
}
