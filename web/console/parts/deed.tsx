import type { ObjectName, StaffEntry } from '../../api/staff-calls.ts'
import { useSession } from '../../staff/session.tsx'
import { listOf, paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { hrefOf } from './object-link.tsx'

interface DeedProps {
  readonly of: StaffEntry
}

/** Who made a change; a person of the warehouse leads to the person's page. */
export function Actor({ of: { actor, actor_name: name, login } }: DeedProps) {
  const { user } = useSession()
  const text = name ?? login ?? 'неизвестно кто'
  const [, id] = /^staff:(.+)$/.exec(actor) ?? []
  if (id === undefined || !isAtLeast(user, 'manager')) return <span class="name">{text}</span>
  return (
    <a class="name" href={listOf(paths.users, { user: id })}>
      {text}
    </a>
  )
}

/** What was done, with what goods, and what changed by it. */
export function Deed({ of: entry }: DeedProps) {
  return (
    <>
      <strong>{entry.title ?? 'Изменение'}</strong>
      <Goods of={entry} />
      <Words of={entry} />
    </>
  )
}

function Goods({ of: { goods, client_id: client } }: DeedProps) {
  if (goods === undefined || client === null) return null
  const { barcode, name, qty } = goods
  return (
    <div>
      {qty !== null && `${qty} × `}
      <a href={listOf(paths.stock, { client_id: client, barcode })}>{name}</a>
    </div>
  )
}

const shownAtOnce = 4

/** What changed; a long story is opened. */
function Words({ of: { words, mentioned, client_id: client } }: DeedProps) {
  if (words.length === 0) return null
  const list = (
    <ul class="words">
      {words.map((word) => (
        <li key={word}>
          <Linked text={word} mentioned={mentioned} clientId={client} />
        </li>
      ))}
    </ul>
  )
  if (words.length <= shownAtOnce) return list
  return (
    <details>
      <summary>
        {words.slice(0, 2).join(' · ')} · ещё {words.length - 2}
      </summary>
      {list}
    </details>
  )
}

interface LinkedProps {
  readonly text: string
  readonly mentioned: readonly ObjectName[]
  readonly clientId: string | null
}

/** A text in which each named object leads to its page. */
function Linked({ text, mentioned: [object, ...others], clientId }: LinkedProps) {
  if (object === undefined) return <>{text}</>
  const at = object.title === '' ? -1 : text.indexOf(object.title)
  const href = hrefOf(object, clientId)
  if (at < 0 || href === undefined) {
    return <Linked text={text} mentioned={others} clientId={clientId} />
  }
  const end = at + object.title.length
  return (
    <>
      <Linked text={text.slice(0, at)} mentioned={others} clientId={clientId} />
      <a href={href}>{object.title}</a>
      <Linked text={text.slice(end)} mentioned={[object, ...others]} clientId={clientId} />
    </>
  )
}
