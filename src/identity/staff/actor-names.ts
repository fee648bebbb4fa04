import type { Queryable } from '../../platform/db/connection.ts'
import { isId } from '../../platform/kernel/ids.ts'

/** Who made changes, as people read it: the login of a user of the warehouse or of a seller, a word for everything else. */

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
  const userOf = (actor: string) => /^(?:staff|seller):(.+)$/.exec(actor)?.[1] ?? ''
  const ids = [...new Set(actors.map((actor) => userOf(actor ?? '')))].filter(isId)
  const rows =
    ids.length === 0
      ? []
      : await db<{ id: string; login: string }[]>`
          select id, login from staff_users where id = any(${ids}::uuid[])
          union all select id, login from seller_users where id = any(${ids}::uuid[])`
  const logins = new Map(rows.map(({ id, login }) => [id, login]))
  return (actor) => {
    const [kind = ''] = actor.split(':')
    return logins.get(userOf(actor)) ?? words[kind] ?? actor
  }
}
