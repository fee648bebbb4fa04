import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import { hashesOfKeysOf } from '../../identity/keys/api-keys.ts'
import { hashesOfTokensIn } from '../../identity/staff/users.ts'
import { type Database, openDatabase, openDirectBeside } from '../../platform/db/connection.ts'
import { perform } from '../../platform/db/work.ts'
import { systemClock } from '../../platform/kernel/clock.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { isNothingSealed, loadSecrets } from '../../platform/process/secrets.ts'
import { recordStaffChange } from '../../warehouse/journal/staff.ts'
import { refuseStrangers, refuseWithoutRights } from '../moving/conditions.ts'
import { cancelMove, moveWarehouse } from '../moving/move.ts'
import { advanceMove, heldSeconds } from '../moving/moves.ts'
import { planOf } from '../moving/plan.ts'
import { type Printed, requiredText, type Shell, withStore } from './command.ts'
import { addToMap, refuseBadBackend } from './key-map.ts'

interface MoveOptions {
  readonly to: string
  readonly as?: string
  readonly backend?: string
  readonly map?: string
  readonly reload?: string
  readonly plan?: boolean
  readonly cancel?: boolean
}

/** Run it with the settings of the cell that the warehouse leaves. */
export function addMoveCommand(shell: Shell, warehouse: Command): void {
  warehouse
    .command('move')
    .argument('<code>', 'the warehouse')
    .description(
      'move a warehouse with all its clients to another cell; repeat it until it says done',
    )
    .requiredOption(
      '--to <address>',
      'DATABASE_URL of the other cell, of a role that may leave triggers out; - reads a line of standard input',
    )
    .option('--as <code>', 'code of the warehouse there, where that cell has another of this code')
    .option('--backend <name>', "the proxy's name of the other cell, such as cell-b")
    .option('--map <file>', "the proxy's keys.map: lines of the keys are added")
    .option(
      '--reload <command>',
      'makes the proxy read the map, such as "systemctl reload haproxy"',
    )
    .option('--plan', 'check the conditions and count, without beginning')
    .option('--cancel', 'give up a move that has not arrived')
    .action((code: string, options: MoveOptions) =>
      withStore(shell, (db, config) =>
        withOther(options, (other) => run({ db, other }, config, code, options)),
      ),
    )
}

async function withOther<T>(
  { to }: MoveOptions,
  work: (other: Database) => Promise<T>,
): Promise<T> {
  const url = to === '-' ? await firstLine() : to
  const other = openDatabase({ url }, { max: 2, applicationName: 'sklad move', lasting: true })
  try {
    return await work(other)
  } finally {
    await other.end({ timeout: 5 })
  }
}

async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line.trim()
  throw new StartError('--to -: standard input must be the address')
}

interface Cells {
  readonly db: Database
  readonly other: Database
}

async function run(
  cells: Cells,
  config: Config,
  code: string,
  options: MoveOptions,
): Promise<Printed> {
  const { db } = cells
  const warehouse = requiredText('code', code)
  const wanted = { warehouse, otherCode: requiredText('as', options.as ?? warehouse) }
  const { fingerprints } = await loadSecrets(config, () => isNothingSealed(db))
  await refuseStrangers(cells, fingerprints)
  await refuseWithoutRights(cells)
  if (options.plan) return { ...(await planOf(cells, wanted)) }
  if (options.cancel) {
    await alone(db, () => cancelMove(cells, warehouse))
    await note(db, 'warehouse move cancel', warehouse, {})
    return { warehouse, cancelled: true }
  }
  const { backend, map } = options
  if (backend === undefined || map === undefined) {
    throw new StartError('--backend and --map say how the proxy gets to know the keys')
  }
  refuseBadBackend(backend)
  return alone(db, () => moveWith(cells, wanted, { ...options, backend, map }))
}

interface ProxyOptions {
  readonly backend: string
  readonly map: string
  readonly reload?: string
}

async function moveWith(
  cells: Cells,
  wanted: { readonly warehouse: string; readonly otherCode: string },
  { backend, map, reload }: ProxyOptions,
): Promise<Printed> {
  const { db } = cells
  const { warehouse, otherCode } = wanted
  const progress = (line: string) => console.error(line)
  // Keys are refused from the arrival until the proxy knows the other cell, so what would fail then fails here.
  await addToMap(map, [], backend)
  if (reload !== undefined) await runShell(reload)
  const { move, renamed } = await moveWarehouse({ ...cells, progress }, wanted)
  const hashes = [
    ...(await hashesOfKeysOf(db, move.clients)),
    ...(await hashesOfTokensIn(db, warehouse)),
  ]
  await addToMap(map, hashes, backend)
  progress(`switched: ${map} leads ${hashes.length} keys to ${backend}`)
  if (reload !== undefined) await runShell(reload)
  if (move.state !== 'DONE') {
    await advanceMove(db, move, ['ARRIVED'], 'DONE')
    await note(db, 'warehouse move', warehouse, { other_code: otherCode, backend })
  }
  return {
    warehouse,
    done: true,
    clients: move.clients.length,
    keys: hashes.length,
    held_seconds: await heldSeconds(db, move),
    renamed,
    next: reload === undefined ? `bring ${map} to every proxy and reload it` : 'nothing',
  }
}

async function runShell(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 2, 2] })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0)
    throw new StartError(`--reload ended with ${status}: mend it and repeat the command`)
}

function note(db: Database, action: string, objectId: string, after: object): Promise<void> {
  return perform(db, systemClock, { kind: 'command-line' }, (work) =>
    recordStaffChange(work, { action, login: null, objectId, after }),
  )
}

/** A command that was killed may hold its lock for a moment longer. */
const lockPauseMs = 200
const lockTries = 100

/** One command of a cell moves warehouses at a time. */
async function alone<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const beside = openDirectBeside(db, 1)
  try {
    return await beside.begin(async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      for (let tried = 0; ; tried += 1) {
        const [{ locked }] = await tx<[{ locked: boolean }]>`
          select pg_try_advisory_xact_lock(hashtextextended('sklad warehouse move', 0)) as locked`
        if (locked) return work()
        if (tried === lockTries) throw new StartError('another command moves a warehouse')
        await sleep(lockPauseMs)
      }
    })
  } finally {
    await beside.end({ timeout: 1 })
  }
}
