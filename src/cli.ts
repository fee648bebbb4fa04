import { Command, CommanderError, Option } from 'commander'
import { addBackupCommands } from './commands/backup.ts'
import { addClientCommands } from './commands/clients.ts'
import { addIntegratorCommands } from './commands/integrators.ts'
import { addSellerUserCommands } from './commands/seller-users.ts'
import { addServiceCommands } from './commands/service.ts'
import { addStaffCommands } from './commands/staff.ts'
import { ServiceError } from './kernel/errors.ts'
import { StartError } from './kernel/start-error.ts'
import { serve } from './main.ts'

/**
 * The command line. It works with and without a running service. With the embedded database, a command
 * starts the database server if it is not running, and stops it if no other process uses it.
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

/** One line for errors that the operator can repair, the stack for all others. */
function messageOf(error: unknown): string {
  if (error instanceof StartError || error instanceof ServiceError) return `sklad: ${error.message}`
  return `sklad: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

function program(): Command {
  const sklad = new Command('sklad')
    .description('Fulfilment service: stock, receipts, orders and shipments of marketplace sellers')
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
      await serve(process.env, role)
    })
  const shell = { sklad, env: process.env }
  addClientCommands(shell)
  addStaffCommands(shell)
  addSellerUserCommands(shell)
  addServiceCommands(shell)
  addBackupCommands(shell)
  addIntegratorCommands(shell)
  return sklad
}
