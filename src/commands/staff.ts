import { createInterface } from 'node:readline/promises'
import { Option } from 'commander'
import { StartError } from '../kernel/start-error.ts'
import { hashPassword, passwordLengthMax, passwordLengthMin } from '../staff/passwords.ts'
import { type Role, roles } from '../staff/roles.ts'
import {
  changeUser,
  createUser,
  findUser,
  findUserByLogin,
  issueToken,
  listUsers,
  loginOf,
} from '../staff/users.ts'
import { allOf, change, type Shell, withStore } from './command.ts'

/** Those who work in the warehouse, and machines that do. */
export function addStaffCommands(shell: Shell): void {
  const user = shell.sklad.command('user').description('staff and their machine tokens')
  user
    .command('list')
    .description('everybody of the staff, the newest first')
    .action(() =>
      withStore(shell, async (db) => ({ users: await allOf((page) => listUsers(db, page)) })),
    )
  user
    .command('add')
    .description('add a user with a token, which is shown this once')
    .requiredOption('--login <login>', 'login')
    .addOption(new Option('--role <role>', 'role').choices(roles).makeOptionMandatory())
    .option('--password <password>', 'password; without one only tokens let the user in')
    .action(async (asked: { login: string; role: Role; password?: string }) => {
      const { role } = asked
      const login = loginOf(asked.login)
      const passwordHash =
        asked.password === undefined ? null : await hashPassword(password(asked.password))
      await change(shell, 'user add', async (work) => {
        const id = await createUser(work, { login, role, passwordHash })
        const { token, ...issued } = await issueToken(work, id, login)
        const made = { ...(await findUser(work.tx, id)), token: { ...issued, name: login } }
        return { printed: { id, login, role, token }, objectId: id, after: made }
      })
    })
  user
    .command('password')
    .description('set the password of a user, who is signed out everywhere')
    .requiredOption('--login <login>', 'login')
    .option('--password <password>', 'new password; read from the standard input unless given')
    .action(async (asked: { login: string; password?: string }) => {
      const passwordHash = await hashPassword(password(asked.password ?? (await firstLine())))
      await change(shell, 'user password', async (work) => {
        const user = await findUserByLogin(work.tx, asked.login)
        if (user === undefined) throw new StartError(`there is no user "${asked.login}"`)
        await changeUser(work, user.id, { passwordHash })
        const printed = { id: user.id, login: user.login, changed: true }
        return { printed, objectId: user.id, before: user, after: await findUser(work.tx, user.id) }
      })
    })
}

function password(given: string): string {
  const length = [...given].length
  if (length >= passwordLengthMin && length <= passwordLengthMax) return given
  throw new StartError(
    `a password has ${passwordLengthMin} to ${passwordLengthMax} characters, this one has ${length}`,
  )
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
  }
}
