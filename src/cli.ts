import { Command, CommanderError, Option } from 'commander'
import { audit } from './audit/audit.ts'
import { issueApiKey, listKeys, revokeApiKey } from './clients/keys.ts'
import { type Marketplace, marketplaces } from './clients/marketplace.ts'
import { addCabinet, addWarehouse, createClient, listClients } from './clients/verbs.ts'
import { readConfig } from './config.ts'
import type { Database } from './db/connection.ts'
import { perform, type Work } from './db/work.ts'
import { systemClock } from './kernel/clock.ts'
import { ApiError } from './kernel/errors.ts'
import { isId } from './kernel/ids.ts'
import { StartError } from './kernel/start-error.ts'
import { serve } from './main.ts'
import { openStore } from './store.ts'

/**
 * The command line. Works beside a running service and without one: on the embedded database a
 * command starts the server if none runs, and leaves it if somebody else uses it.
 */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync([...argv])
  } catch (error) {
    process.exitCode = 1
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode
      return
    }
    console.error(messageOf(error))
  }
}

/** One line for what the operator can mend; anything else with all that is known of it. */
function messageOf(error: unknown): string {
  if (error instanceof StartError || error instanceof ApiError) return `sklad: ${error.message}`
  return `sklad: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

interface Printed {
  readonly [field: string]: unknown
}

function program(): Command {
  const sklad = new Command('sklad')
    .description('Fulfilment service: stock, receipts, orders and shipments of marketplace sellers')
    .option('--json', 'print one JSON value')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
  sklad
    .command('serve')
    .description('run the service')
    .addOption(
      new Option('--role <role>', 'what to run').choices(['api', 'worker', 'all']).default('all'),
    )
    .action(async ({ role }: { role: 'api' | 'worker' | 'all' }) => {
      await serve(process.env, role)
    })
  sklad
    .command('migrate')
    .description('bring the database up to date')
    .action(() => withStore(sklad, async () => ({ migrated: true })))
  addWarehouseCommands(sklad)
  addClientCommands(sklad)
  addKeyCommands(sklad)
  sklad
    .command('audit')
    .description('recompute every invariant; exit code 1 and a list where one does not hold')
    .action(() => runAudit(sklad))
  return sklad
}

function addWarehouseCommands(sklad: Command): void {
  sklad
    .command('warehouse')
    .description('warehouses')
    .command('add')
    .requiredOption('--code <code>', 'short code, such as MSK1')
    .requiredOption('--name <name>', 'name')
    .action(({ code, name }: { code: string; name: string }) =>
      change(sklad, async (work) => {
        await addWarehouse(work, { code: text('code', code), name: text('name', name) })
        return { code, name }
      }),
    )
}

function addClientCommands(sklad: Command): void {
  const client = sklad.command('client').description('legal entities')
  client
    .command('list')
    .description('live clients')
    .action(() => withStore(sklad, async (db) => ({ clients: await listClients(db) })))
  client
    .command('create')
    .requiredOption('--name <name>', 'name')
    .option('--inn <inn>', 'tax number')
    .option('--warehouse <code>', 'warehouse; the oldest unless told')
    .action(({ name, inn, warehouse }: { name: string; inn?: string; warehouse?: string }) =>
      change(sklad, async (work) => {
        const id = await createClient(work, {
          mode: 'live',
          name: text('name', name),
          inn,
          warehouse,
        })
        return { id, name }
      }),
    )
  sklad
    .command('cabinet')
    .description('marketplace cabinets')
    .command('add')
    .requiredOption('--client <id>', 'client')
    .addOption(
      new Option('--marketplace <marketplace>', 'marketplace')
        .choices(marketplaces)
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'name')
    .action((asked: { client: string; marketplace: Marketplace; name: string }) =>
      change(sklad, async (work) => {
        const { marketplace, name } = asked
        const draft = { marketplace, name: text('name', name) }
        return {
          id: await addCabinet(work, idOf('client', asked.client), draft),
          marketplace,
          name,
        }
      }),
    )
}

function addKeyCommands(sklad: Command): void {
  const key = sklad.command('key').description('API keys')
  key
    .command('list')
    .description('the keys of a client, by the preview that a seller can name')
    .requiredOption('--client <id>', 'client')
    .action((asked: { client: string }) =>
      withStore(sklad, async (db) => ({ keys: await listKeys(db, idOf('client', asked.client)) })),
    )
  key
    .command('issue')
    .description('issue a key; its value is shown this once')
    .requiredOption('--client <id>', 'client')
    .requiredOption('--name <name>', 'name that tells integrations apart')
    .option('--receipts', 'allow POST /v1/receipts')
    .action((asked: { client: string; name: string; receipts?: boolean }) =>
      change(sklad, async (work) => {
        const issued = await issueApiKey(work, idOf('client', asked.client), {
          name: text('name', asked.name),
          receiptsEnabled: asked.receipts ?? false,
        })
        return { ...issued }
      }),
    )
  key
    .command('revoke')
    .description('revoke a key; it is refused from the next request on')
    .argument('<id>', 'id of the key')
    .action((id: string) =>
      change(sklad, async (work) => {
        await revokeApiKey(work, idOf('id', id))
        return { id, revoked: true }
      }),
    )
}

async function runAudit(sklad: Command): Promise<void> {
  await withStore(sklad, async (db) => {
    const report = await audit(db)
    if (report.findings.length > 0) process.exitCode = 1
    return { ...report }
  })
}

/** Runs a verb in a transaction and prints what it answers. */
function change(sklad: Command, verb: (work: Work) => Promise<Printed>): Promise<void> {
  return withStore(sklad, (db) => perform(db, systemClock, 'command-line', verb))
}

async function withStore(
  sklad: Command,
  command: (db: Database) => Promise<Printed>,
): Promise<void> {
  const store = await openStore(readConfig(process.env), 'command', () => {})
  try {
    print(await command(store.db), sklad.opts<{ json?: boolean }>().json ?? false)
  } finally {
    await store.close()
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

function idOf(option: string, value: string): string {
  if (!isId(value)) throw new StartError(`${option}: "${value}" is not an id`)
  return value
}

function text(option: string, value: string): string {
  if (value.trim() === '' || value.includes('\0') || value.length > 500) {
    throw new StartError(`--${option} must be a text of 1 to 500 characters`)
  }
  return value
}
