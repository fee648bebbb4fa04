import type { Queryable } from '../../platform/db/connection.ts'
import { isId } from '../../platform/kernel/ids.ts'

/**
 * Who made changes, as people read it: the name of a device or of a user, of the warehouse or of a seller. A user
 * without a name has the login; everything else has a word.
 */

const words: Readonly<Record<string, string>> = {
  'command-line': 'командная строка',
  robot: 'робот',
  service: 'сервис',
  key: 'программа продавца',
  marketplace: 'синхронизация',
}

/** Answers by the text of an actor (`actorText`). An unknown user keeps the text. */
export async function actorNames(
  db: Queryable,
  actors: readonly (string | null)[],
): Promise<(actor: string) => string> {
  const userOf = (actor: string) => /^(?:staff|seller|device):(.+)$/.exec(actor)?.[1] ?? ''
  const ids = [...new Set(actors.map((actor) => userOf(actor ?? '')))].filter(isId)
  const rows =
    ids.length === 0
      ? []
      : await db<{ id: string; name: string }[]>`
          select id, shown_name as name from staff_users where id = any(${ids}::uuid[])
          union all select id, shown_name from seller_users where id = any(${ids}::uuid[])
          union all select id, name from staff_devices where id = any(${ids}::uuid[])`
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return (actor) => {
    const [kind = ''] = actor.split(':')
    return names.get(userOf(actor)) ?? words[kind] ?? actor
  }
}

/** Names of users of the warehouse by their logins. */
export async function namesOfLogins(
  db: Queryable,
  logins: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (logins.length === 0) return new Map()
  const rows = await db<{ login: string; name: string }[]>`
    select login, shown_name as name from staff_users where login = any(${[...logins]})`
  return new Map(rows.map(({ login, name }) => [login, name]))
}
