import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { codeOf, type Source } from './source-tree.ts'

interface TableWrite {
  readonly path: string
  readonly room: string
  /** The table, or the interpolated expression, such as `${tx(table)}`. */
  readonly table: string
}

// The word "set" after the table distinguishes an update from "for update" and "do update set".
const name = String.raw`(?:only\s+)?"?(\$\{[^}]*\}|\w+)"?`
const writes = new RegExp(
  String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+${name}` +
    String.raw`|\bupdate\s+${name}(?:\s+(?:as\s+)?\w+)?\s+set\b`,
  'g',
)

/** Tables that the SQL of a file writes. */
export function tableWritesOf(source: Source): TableWrite[] {
  return [...codeOf(source).matchAll(writes)].map(([, one, other]) => {
    return { path: source.path, room: source.room, table: one ?? other ?? '' }
  })
}

/** Tables that the SQL of a file names in any way, or that it passes on as a string. */
export function tablesNamedIn(source: Source, tables: readonly string[]): string[] {
  const code = codeOf(source)
  return tables.filter((table) =>
    new RegExp(
      String.raw`\b(?:from|join|into|update|table|truncate)\s+"?${table}\b|'${table}'`,
    ).test(code),
  )
}

/** Tables that there are after all migrations, except partitions of others. */
export function migratedTables(): string[] {
  const directory = fileURLToPath(new URL('../../migrations/', import.meta.url))
  const tables = new Set<string>()
  for (const file of globSync('*.sql', { cwd: directory }).sort()) {
    const sql = readFileSync(directory + file, 'utf8').replace(/--.*$/gm, '')
    for (const { groups = {} } of sql.matchAll(changeOfTables)) {
      const { created, renamed, name, dropped } = groups
      if (created !== undefined) tables.add(created)
      if (renamed !== undefined && tables.delete(renamed)) tables.add(String(name))
      for (const table of dropped?.split(', ') ?? []) tables.delete(table)
    }
  }
  return [...tables]
}

const changeOfTables =
  /\b(?:create (?:unlogged )?table (?<created>\w+) \(|alter table (?<renamed>\w+) rename to (?<name>\w+)|drop table (?<dropped>\w+(?:, \w+)*);)/g
