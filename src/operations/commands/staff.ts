import { createInterface } from 'node:readline/promises'
import { Option } from 'commander'
import { loginOf } from '../../identity/sign-in/logins.ts'
import {
  hashPassword,
  passwordLengthMax,
  passwordLengthMin,
} from '../../identity/sign-in/passwords.ts'
import { type Role, roles } from '../../identity/staff/roles.ts'
import {
  changeUser,
  createUser,
  findUser,
  findUserByLogin,
  issueToken,
  listUsers,
} from '../../identity/staff/users.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { releaseClaimsOf } from '../../warehouse/picking/claims.ts'
import { allOf, runChange, type Shell, withStore } from './command.ts'

/** Users of the staff side and their tokens. */
export function addStaffCommands(shell: Shell): void {
  const user = shell.sklad.command('user').description('users of the staff side and their tokens')
  user
    .command('list')
    .description('list users, newest first')
    .action(() =>
      withStore(shell, async (db) => ({ users: await allOf((page) => listUsers(db, page)) })),
    )
  user
    .command('add')
    .description('add a user with a token; the token is shown once')
    .requiredOption('--login <login>', 'login')
    .option('--name <name>', 'name and surname; without them people see the login')
    .addOption(new Option('--role <role>', 'role').choices(roles).makeOptionMandatory())
    .option('--password <password>', 'password; without one the user signs in by token only')
    .action(async (options: { login: string; name?: string; role: Role; password?: string }) => {
      const { name, role } = options
      const login = loginOf(options.login)
      const passwordHash =
        options.password === undefined ? null : await hashPassword(password(options.password))
      await runChange(shell, 'user add', async (work, { cell }) => {
        const id = await createUser(work, { login, name, role, passwordHash })
        const { token, ...issued } = await issueToken(work, id, login, cell)
        const made = { ...(await findUser(work.tx, id)), token: { ...issued, name: login } }
        return { printed: { id, login, role, token }, objectId: id, after: made }
      })
    })
  user
    .command('password')
    .description(
      "set a user's password, end all sessions of the user, revoke all tokens and release picking tasks",
    )
    .requiredOption('--login <login>', 'login')
    .option('--password <password>', 'new password; read from standard input by default')
    .action(async (options: { login: string; password?: string }) => {
      const passwordHash = await hashPassword(password(options.password ?? (await firstLine())))
      await runChange(shell, 'user password', async (work) => {
        const user = await findUserByLogin(work.tx, options.login)
        if (user === undefined) throw new StartError(`there is no user "${options.login}"`)
        await changeUser(work, user.id, { passwordHash })
        await releaseClaimsOf(work, user.id)
        const printed = { id: user.id, login: user.login, changed: true }
        return { printed, objectId: user.id, before: user, after: await findUser(work.tx, user.id) }
      })
    })
}

export function password(given: string): string {
  const length = [...given].length
  if (length >= passwordLengthMin && length <= passwordLengthMax) return given
  throw new StartError(
    `a password has ${passwordLengthMin} to ${passwordLengthMax} characters, this one has ${length}`,
  )
}

export async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
  }
}
