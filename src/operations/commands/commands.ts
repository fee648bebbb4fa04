import { addBackupCommands } from './backup.ts'
import { addClientCommands } from './clients.ts'
import type { Shell } from './command.ts'
import { addSellerUserCommands } from './seller-users.ts'
import { addIntegratorCommands, addServiceCommands } from './service.ts'
import { addStaffCommands } from './staff.ts'

/** Adds all commands but `serve`. */
export function addCommands(shell: Shell): void {
  addClientCommands(shell)
  addStaffCommands(shell)
  addSellerUserCommands(shell)
  addServiceCommands(shell)
  addBackupCommands(shell)
  addIntegratorCommands(shell)
}
