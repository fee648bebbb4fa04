import { Command, CommanderError, Option } from 'commander'
import { ConnectionError, endsSession } from './platform/db/connections/errors.ts'
import { ServiceError, StartError } from './platform/kernel/errors.ts'
import { serviceVersion } from './platform/process/version.ts'

/**
 * The command line. It works with and without a running service. With the embedded database, a command
 * starts the database server if it is not running, and stops it if no other process uses it.
 *
 * The service does not load the other commands, and they do not load the service: either costs megabytes and time.
 */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    const sklad = program()
    if (argv[2] !== 'serve') {
      const { addCommands } = await import('./operations/commands/commands.ts')
      addCommands({ sklad, env: process.env })
    }
    await sklad.parseAsync([...argv])
  } catch (error) {
    process.exitCode = 1
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode
      return
    }
    console.error(messageOf(error))
  }
}

/** One line for errors that the operator can repair, the stack for all others. */
function messageOf(error: unknown): string {
  if (error instanceof StartError || error instanceof ServiceError) return `sklad: ${error.message}`
  if (error instanceof ConnectionError || endsSession(error))
    return `sklad: the database is away: ${error.message}`
  return `sklad: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

function program(): Command {
  const sklad = new Command('sklad')
    .description('Fulfilment service: stock, receipts, orders and shipments of marketplace sellers')
    .version(serviceVersion)
    .option('--json', 'print the answer as one JSON value')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
  sklad
    .command('serve')
    .description('run the service')
    .addOption(
      new Option('--role <role>', 'parts of the service to run')
        .choices(['api', 'worker', 'all'])
        .default('all'),
    )
    .action(async ({ role }: { role: 'api' | 'worker' | 'all' }) => {
      const { serve } = await import('./main.ts')
      await serve(process.env, role)
    })
  return sklad
}
