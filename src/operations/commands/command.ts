import type { Command } from 'commander'
import { type Config, readConfig } from '../../config.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { Page, PageRequest } from '../../platform/db/lists/page.ts'
import { openReports } from '../../platform/db/reports.ts'
import { perform, type Work } from '../../platform/db/work.ts'
import { systemClock } from '../../platform/kernel/clock.ts'
import type { Position } from '../../platform/kernel/cursor.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { isId } from '../../platform/kernel/ids.ts'
import { hasBadText } from '../../platform/kernel/json.ts'
import { openStore, type StoreOptions } from '../../platform/process/store.ts'
import { recordStaffChange } from '../../warehouse/journal/staff.ts'

/** The command line and the environment with its settings. */
export interface Shell {
  readonly sklad: Command
  readonly env: NodeJS.ProcessEnv
}

export interface Printed {
  readonly [field: string]: unknown
}

/** What a change prints, and its entry in the journal. `after` may hold no secrets. */
export interface Changed {
  readonly printed: Printed
  readonly clientId?: string
  readonly objectId?: string
  readonly before?: unknown
  readonly after?: unknown
  /** False for a repeat that changed nothing: the journal gets no entry. */
  readonly changed?: boolean
}

/** Runs a verb and writes its journal entry in one transaction, then prints the answer. */
export function runChange(
  shell: Shell,
  action: string,
  verb: (work: Work, config: Config) => Promise<Changed>,
): Promise<void> {
  return runPreparedChange(shell, action, async (_, config) => config, verb)
}

/** Like runChange; `prepare` runs before the transaction begins, so it may take time. */
export function runPreparedChange<Prepared>(
  shell: Shell,
  action: string,
  prepare: (db: Database, config: Config) => Promise<Prepared>,
  verb: (work: Work, prepared: Prepared) => Promise<Changed>,
): Promise<void> {
  return withStore(shell, async (db, config) => {
    const prepared = await prepare(db, config)
    return perform(db, systemClock, { kind: 'command-line' }, async (work) => {
      const { printed, changed, ...entry } = await verb(work, prepared)
      if (changed !== false) await recordStaffChange(work, { action, login: null, ...entry })
      return printed
    })
  })
}

/**
 * Runs a command on the database and prints its answer. Only a command that may create a database (`creates`) makes one.
 * For all others it must be there: with settings that are not the service's, people would look into an empty one.
 */
export async function withStore(
  { sklad, env }: Shell,
  command: (db: Database, config: Config) => Promise<Printed>,
  options: StoreOptions = {},
): Promise<void> {
  const config = readConfig(env)
  const store = await openStore(config, 'command', () => {}, { creates: false, ...options })
  try {
    print(await command(store.db, config), sklad.opts<{ json?: boolean }>().json ?? false)
  } finally {
    await store.close()
  }
}

/** For a command that reads much: it reads from the standby for reports where there is one. */
export async function onReports<T>(
  db: Database,
  config: Config,
  read: (source: Database) => Promise<T>,
): Promise<T> {
  const reports = openReports(db, config)
  try {
    return await read(await reports.database())
  } finally {
    await reports.end()
  }
}

function print(answer: Printed, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(answer))
    return
  }
  for (const [field, value] of Object.entries(answer)) {
    if (Array.isArray(value)) for (const row of value) console.log(`- ${describeRow(row)}`)
    else console.log(`${field}: ${String(value)}`)
  }
}

function describeRow(row: unknown): string {
  if (typeof row !== 'object' || row === null) return String(row)
  return Object.entries(row)
    .map(([field, value]) => `${field} ${String(value)}`)
    .join(', ')
}

const pageSize = 1_000

/** All items of a list, page by page. */
export async function allOf<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  let after: Position | undefined
  do {
    const page = await list({ limit: pageSize, after })
    items.push(...page.items)
    after = page.next ?? undefined
  } while (after !== undefined)
  return items
}

export function idOf(option: string, value: string): string {
  if (!isId(value)) throw new StartError(`${option}: "${value}" is not an id`)
  return value
}

export function requiredText(option: string, value: string): string {
  if (value.trim() === '' || hasBadText(value) || value.length > 500) {
    throw new StartError(`--${option} must be a text of 1 to 500 characters`)
  }
  return value
}
