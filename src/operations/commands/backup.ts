import { readConfig } from '../../config.ts'
import type { Database } from '../../platform/db/connection.ts'
import { perform } from '../../platform/db/work.ts'
import { systemClock } from '../../platform/kernel/clock.ts'
import { isNothingSealed, loadSecrets } from '../../platform/process/secrets.ts'
import { switchNames } from '../../platform/process/switches.ts'
import { recordStaffChange } from '../../warehouse/journal/staff.ts'
import { audit } from '../audit/audit.ts'
import { checkBackup } from '../backup/check.ts'
import { backupAction } from '../backup/last-backup.ts'
import { type MadeBackup, makeBackup, type Progress } from '../backup/make.ts'
import { restoreBackup } from '../backup/restore.ts'
import { onReports, type Shell, withStore } from './command.ts'

/** A restore leaves all off. */
const allOn = switchNames.map((name) => `sklad ${name} on`).join('; ')

export function addBackupCommands(shell: Shell): void {
  const { sklad } = shell
  sklad
    .command('backup')
    .argument('<file>', 'a new file')
    .description(
      'write all data into one file, as they are at one moment; the service may run meanwhile',
    )
    .action((path: string) =>
      withStore(shell, async (db, config) => {
        const { fingerprints: secretFingerprints } = await loadSecrets(config, () =>
          isNothingSealed(db),
        )
        const progress = shown()
        const signal = stopSignal()
        const given = { path, secretFingerprints, progress, signal }
        const made = await onReports(db, config, (source) => makeBackup(source, given))
        await noteBackup(db, made)
        return { ...made }
      }),
    )
  sklad
    .command('restore')
    .argument('<file>', 'what "sklad backup" has written')
    .description(
      'fill an empty database from a backup, then audit it; webhooks and marketplaces stay off until they are switched on',
    )
    .action(async (path: string) => {
      // The file is checked first: to open an embedded database is to make one.
      const backup = await checkBackup(path, async () => {
        return (await loadSecrets(readConfig(shell.env))).fingerprints
      })
      return withStore(
        shell,
        async (db) => {
          const restored = await restoreBackup(db, backup, shown())
          const { findings, omitted } = await audit(db)
          const differences = findings.length + omitted
          if (differences > 0) process.exitCode = 1
          return {
            ...restored,
            differences,
            findings,
            next: `stop the service that the backup is of, start this one, then: ${allOn}`,
          }
        },
        { migrates: false, creates: true },
      )
    })
}

/** The file is whole by now: it stays valid if the database does not take the note. */
async function noteBackup(db: Database, { file, rows, bytes }: MadeBackup): Promise<void> {
  await perform(db, systemClock, { kind: 'command-line' }, (work) =>
    recordStaffChange(work, { action: backupAction, login: null, after: { file, rows, bytes } }),
  ).catch((error: unknown) => console.error(`the journal has no note of the backup: ${error}`))
}

const shownEveryMs = 1_000

/** Shows the table that is copied on standard error, at most once a second. */
function shown(): Progress {
  let last = performance.now()
  return ({ table, rows }) => {
    if (performance.now() - last < shownEveryMs) return
    last = performance.now()
    process.stderr.write(`${table}${rows > 0 ? `: ${rows} rows` : ''}\n`)
  }
}

/** The first signal to end the process aborts it. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(name, () => stop.abort())
  return stop.signal
}
