import { useSession } from '../../staff/session.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'

interface ClientLinkProps {
  readonly id: string
  readonly name: string
}

/** The name of a client; to managers it opens the client. */
export function ClientLink({ id, name }: ClientLinkProps) {
  const manages = isAtLeast(useSession().user, 'manager')
  if (!manages) return <span class="name">{name}</span>
  return (
    <a class="name" href={pathOf('client', id)}>
      {name}
    </a>
  )
}
