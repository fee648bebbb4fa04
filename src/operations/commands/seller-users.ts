import { Option } from 'commander'
import {
  addMember,
  changeMember,
  createSellerUser,
  findMember,
  findSellerUser,
  listMembers,
  setSellerPassword,
} from '../../identity/sellers/members.ts'
import { dropCodes } from '../../identity/sellers/one-time-codes.ts'
import { type SellerRole, sellerRoles } from '../../identity/sellers/roles.ts'
import { loginOf } from '../../identity/sign-in/logins.ts'
import { hashPassword } from '../../identity/sign-in/passwords.ts'
import type { Queryable } from '../../platform/db/connection.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { findClient } from '../../warehouse/clients/clients.ts'
import { idOf, requiredText, runChange, type Shell, withStore } from './command.ts'
import { firstLine, password } from './staff.ts'

interface Named {
  readonly client: string
  readonly login: string
}

interface NewUser {
  readonly role: SellerRole
  readonly name?: string
  readonly password?: string
}

/** Users of the account, who work for clients. */
export function addSellerUserCommands(shell: Shell): void {
  const user = shell.sklad.command('seller-user').description("sellers' users of the account")
  user
    .command('list')
    .description('list the users of a client')
    .requiredOption('--client <id>', 'client')
    .action(({ client }: { client: string }) =>
      withStore(shell, async (db) => ({ users: await listMembers(db, await known(db, client)) })),
    )
  user
    .command('add')
    .description('give a login access to a client; a new login needs a password')
    .requiredOption('--client <id>', 'client')
    .requiredOption('--login <login>', 'login')
    .addOption(new Option('--role <role>', 'role').choices(sellerRoles).makeOptionMandatory())
    .option('--name <name>', 'name of the person, for a new login')
    .option('--password <password>', 'password of a new login')
    .action(async (options: Named & NewUser) => {
      const login = loginOf(options.login)
      const given = options.password === undefined ? undefined : password(options.password)
      const name = options.name === undefined ? undefined : personName(options.name)
      const passwordHash = given === undefined ? undefined : await hashPassword(given)
      await runChange(shell, 'seller-user add', async (work) => {
        const clientId = await known(work.tx, options.client)
        const old = await findSellerUser(work.tx, login)
        if (old === undefined && passwordHash === undefined) {
          throw new StartError(`"${login}" is a new login: give its --password`)
        }
        const id = old?.id ?? (await createSellerUser(work, login, passwordHash ?? '', name))
        await addMember(work, clientId, id, options.role)
        const after = { ...(await findMember(work.tx, clientId, id)) }
        return { printed: after, clientId, objectId: id, after }
      })
    })
  user
    .command('remove')
    .description('take the client away from a login; its sessions end')
    .requiredOption('--client <id>', 'client')
    .requiredOption('--login <login>', 'login')
    .action((options: Named) =>
      runChange(shell, 'seller-user remove', async (work) => {
        const clientId = await known(work.tx, options.client)
        const { id, login } = await named(work.tx, options.login)
        const before = await findMember(work.tx, clientId, id)
        await changeMember(work, clientId, id, { role: undefined, keepsOwner: false })
        return { printed: { id, login, removed: true }, clientId, objectId: id, before }
      }),
    )
  user
    .command('password')
    .description('set the password of a login, turn off its one-time codes and end its sessions')
    .requiredOption('--login <login>', 'login')
    .option('--password <password>', 'new password; read from standard input by default')
    .action(async (options: { login: string; password?: string }) => {
      const passwordHash = await hashPassword(password(options.password ?? (await firstLine())))
      await runChange(shell, 'seller-user password', async (work) => {
        const { id, login } = await named(work.tx, options.login)
        await dropCodes(work, id)
        await setSellerPassword(work, id, passwordHash, undefined)
        return { printed: { id, login, changed: true }, objectId: id }
      })
    })
}

const nameLengthMax = 100

function personName(given: string): string {
  const name = requiredText('name', given)
  if (name.length <= nameLengthMax) return name
  throw new StartError(`--name must have ${nameLengthMax} characters at most`)
}

async function known(db: Queryable, id: string): Promise<string> {
  const client = await findClient(db, idOf('client', id))
  if (client === undefined) throw new StartError(`there is no client ${id}`)
  return client.id
}

async function named(db: Queryable, login: string) {
  const user = await findSellerUser(db, login)
  if (user === undefined) throw new StartError(`there is no seller's user "${login}"`)
  return user
}
