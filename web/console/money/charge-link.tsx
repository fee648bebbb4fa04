import { useSession } from '../../staff/session.tsx'
import { listOf, pathOf } from '../paths.ts'
import { maySeeMoney } from '../rooms.ts'

interface ChargeLinkProps {
  readonly of: 'order' | 'receipt' | 'shipment' | 'return' | 'count'
  readonly object: { readonly id: string; readonly client_id: string }
}

/** Leads to the form that charges a service by hand for an object. */
export function ChargeLink({ of, object: { id, client_id: client } }: ChargeLinkProps) {
  if (!maySeeMoney(useSession().user)) return null
  const form = { tab: 'money', form: 'charge', object: `${of}:${id}` }
  return (
    <p>
      <a href={listOf(pathOf('client', client), form)}>Начислить услугу</a>
    </p>
  )
}
