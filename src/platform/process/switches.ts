import type { Queryable } from '../db/connection.ts'
import type { Fragment } from '../db/statements/fragment.ts'

/** What the operator can switch off for the whole service. Reads and work in the warehouse go on. */
export const switchNames = ['webhooks', 'marketplaces', 'notices'] as const
export type SwitchName = (typeof switchNames)[number]

export async function isOn(db: Queryable, name: SwitchName): Promise<boolean> {
  const [row] = await db<{ enabled: boolean }[]>`
    select enabled from service_switches where name = ${name}`
  return row?.enabled ?? true
}

/** The same as a condition of a statement. */
export function webhooksAreOn(db: Queryable): Fragment {
  return db`not exists (select from service_switches where name = 'webhooks' and not enabled)`
}

/** Returns false if the switch was so already. */
export async function setSwitch(
  db: Queryable,
  name: SwitchName,
  enabled: boolean,
): Promise<boolean> {
  const changed = await db`
    update service_switches set enabled = ${enabled}
    where name = ${name} and enabled <> ${enabled} returning name`
  return changed.length > 0
}

/** The statement that a restore ends with. */
export const allOff = 'update service_switches set enabled = false'
