import { letComingUsersWork, takeReturnedUsers } from '../../identity/staff/coming-users.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { tablesOf } from '../backup/catalog.ts'
import { type Codes, copyRows, type Ends, movedTo } from './copy.ts'
import { literal, movedTables } from './tables.ts'

/**
 * Rows that the other cell may have already. These are people who work in both, reasons, and what may be there once in a whole
 * cell: marking codes, marks of units, numbers of boxes. They come into tables beside its own first, and are compared there.
 */

/** A login that somebody else has there, and the one that its person has there now. */
export interface Renamed {
  readonly login: string
  readonly renamed: string
}

/**
 * Deletes what the rows that come replace: what stayed in the other cell when the warehouse left it, and what came with other
 * warehouses of its earlier ones.
 */
export async function removeOld(
  { target }: Pick<Ends, 'target'>,
  clients: readonly string[],
  codes: Codes,
): Promise<void> {
  const moved = movedTo(clients, codes)
  for (const [name, { rows }] of Object.entries(movedTables)) {
    await target.run(`delete from ${name} where ${rows(moved)}`)
  }
}

async function bringBeside(ends: Ends, table: string, from: string): Promise<readonly string[]> {
  const columns = (await tablesOf(ends.source)).find(({ name }) => name === table)?.columns ?? []
  await ends.target.run(
    `create temp table coming_${table} (like ${table} including generated) on commit drop`,
  )
  const text = from.replace('*', columns.join(', '))
  await copyRows(ends, { name: `coming_${table}`, columns, from: text })
  return columns
}

/**
 * Users of this warehouse, and of all warehouses, come with a right to this one alone. Administrators and users of other
 * warehouses come as names for the journals: they can't sign in.
 */
export async function mergePeople(
  ends: Ends,
  clients: readonly string[],
  codes: Codes,
): Promise<Renamed[]> {
  const ids = `'{${clients.join(',')}}'::uuid[]`
  const code = literal(codes.warehouse)
  const working = `(u.active and u.role <> 'administrator' and (
    exists (select from staff_user_warehouses w where w.user_id = u.id and w.warehouse_code = ${code})
    or not exists (select from staff_user_warehouses w where w.user_id = u.id)))`
  const renamed = [
    ...(await mergeUsers(ends, 'staff_users', 'select * from staff_users', codes)),
    ...(await mergeUsers(
      ends,
      'seller_users',
      `select * from seller_users where id in (
        select user_id from seller_members where client_id = any(${ids})
        union select asked_by from key_requests where client_id = any(${ids})
        union select used_by from seller_invitations where client_id = any(${ids}))`,
      codes,
    )),
  ]
  await bringBeside(
    ends,
    'staff_user_warehouses',
    `select * from (select u.id as user_id, ${literal(codes.otherCode)} as warehouse_code from staff_users u where ${working}) w`,
  )
  if (codes.comesBack) await takeReturnedUsers(ends.target.tag, codes.otherCode)
  await letComingUsersWork(ends.target.tag, codes.otherCode)
  const workers = `(select u.id from staff_users u where ${working})`
  await addNew(ends, 'staff_tokens', `select * from staff_tokens where user_id in ${workers}`)
  await addNew(
    ends,
    'staff_list_views',
    `select * from staff_list_views where saved_by in ${workers}`,
  )
  await ends.target.run(revokedElsewhere('staff_tokens'))
  const devices = `select * from staff_devices
    where warehouse_code = ${code} or purpose = 'HANDHELD' and last_user_id in ${workers}`
  await addNew(ends, 'staff_devices', devices, {
    warehouse_code: `case when warehouse_code is not null then ${literal(codes.otherCode)} end`,
  })
  await ends.target.run(revokedElsewhere('staff_devices'))
  await addNew(
    ends,
    'notice_people',
    `select * from notice_people where user_id in ${workers}
      or user_id in (select user_id from seller_members where client_id = any(${ids}))`,
    {
      telegram_chat: 'null::bigint',
      telegram_code_hash: 'null::bytea',
      telegram_code_until: 'null::timestamptz',
      telegram_blocked: 'false',
    },
  )
  await addNew(ends, 'reasons', 'select * from reasons')
  return renamed
}

/** What was revoked in the cell that it comes from does not open this one again. */
const revokedElsewhere = (table: 'staff_tokens' | 'staff_devices') => `
  update ${table} t set ${table === 'staff_devices' ? 'code_hash = null, ' : ''}revoked_at = c.revoked_at from coming_${table} c
  where t.id = c.id and t.revoked_at is null and c.revoked_at is not null`

const withoutAccess: Readonly<Record<string, string>> = {
  active: 'false',
  password_hash: 'null::text',
  pin_hash: 'null::text',
  badge_hash: 'null::bytea',
  badge_issued_at: 'null::timestamptz',
}

/** A person whose login somebody else has there gets another. People who came with an earlier warehouse stay as they are. */
async function mergeUsers(
  ends: Ends,
  table: 'staff_users' | 'seller_users',
  from: string,
  { otherCode }: Codes,
): Promise<Renamed[]> {
  const columns = await bringBeside(ends, table, from)
  const suffix = `-${otherCode.toLowerCase().replace(/[^a-z0-9]/g, '') || 'moved'}`
  const { target } = ends
  const renamed = await renameTaken(ends, table, suffix)
  const values: Readonly<Record<string, string>> = table === 'staff_users' ? withoutAccess : {}
  const shown = columns.map((column) => values[column] ?? `c.${column}`).join(', ')
  await target.run(`
    create temp table added_${table} on commit drop as
    select c.id from coming_${table} c
    where not exists (select from ${table} t where t.id = c.id);
    insert into ${table} (${columns.join(', ')})
    select ${shown} from coming_${table} c join added_${table} using (id)`)
  return renamed
}

const loginMax = 64

/** Tries logins until nobody has one: anna-new1, anna-new1-2 … */
async function renameTaken({ target }: Ends, table: string, suffix: string): Promise<Renamed[]> {
  await target.run(`
    create temp table taken_${table} on commit drop as
    select c.id, c.login from coming_${table} c join ${table} t on t.login = c.login and t.id <> c.id
    where not exists (select from ${table} o where o.id = c.id)`)
  for (let tried = 1; ; tried += 1) {
    const end = tried === 1 ? suffix : `${suffix}-${tried}`
    const [clash] = await target.run<{ count: number }>(`
      update coming_${table} c set login = left(k.login, ${loginMax - end.length}) || ${literal(end)}
      from taken_${table} k where k.id = c.id and (exists (select from ${table} t where t.login = c.login)
        or exists (select from coming_${table} o where o.login = c.login and o.id <> c.id));
      select count(*) as count from taken_${table} k join coming_${table} c using (id)
      where exists (select from ${table} t where t.login = c.login)
        or exists (select from coming_${table} o where o.login = c.login and o.id <> c.id)`)
    if (clash?.count === 0) break
  }
  return target.run<Renamed>(`
    select k.login, c.login as renamed from taken_${table} k join coming_${table} c using (id) order by 1`)
}

async function addNew(
  ends: Ends,
  table: string,
  from: string,
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = await bringBeside(ends, table, from)
  const shown = columns.map((column) => values[column] ?? column).join(', ')
  await ends.target.run(`
    insert into ${table} (${columns.join(', ')}) select ${shown} from coming_${table}
    on conflict do nothing`)
}

const namedMax = 10

/** What a cell may have once, by these columns. A code whose goods have left one cell (`isGone`) may go on in the other. */
const unique: readonly Unique[] = [
  { table: 'marking_codes', key: ['identity'], isGone: (row) => `${row}.state = 'shipped'` },
  { table: 'unit_marks', key: ['kind', 'value'], isGone: () => 'false' },
  { table: 'storage_numbers', key: ['sscc'], isGone: () => 'false' },
]

interface Unique {
  readonly table: string
  readonly key: readonly string[]
  /** Whether the thing that a row names has left the warehouse. */
  readonly isGone: (row: string) => string
}

export const uniqueTables: readonly string[] = unique.map(({ table }) => table)

/** @throws StartError where both cells have the same in stock, but for what these clients left there */
export async function refuseTwice(ends: Ends, clients: readonly string[]): Promise<void> {
  const { target } = ends
  const ids = `'{${clients.join(',')}}'::uuid[]`
  for (const { table, key, isGone } of unique) {
    const columns = key.join(', ')
    const beside = `twice_${table}`
    await target.run(
      `create temp table ${beside} on commit drop as select ${columns} from ${table} with no data`,
    )
    await copyRows(ends, {
      name: beside,
      columns: key,
      from: `select ${columns} from ${table} r where client_id = any(${ids}) and not (${isGone('r')})`,
    })
    const [twice] = await target.run<{ count: number; names: string }>(`
      select count(*) as count, string_agg(name, ', ') filter (where place <= ${namedMax}) as names from (
        select concat_ws(' ', ${key.map((column) => `c.${column}`).join(', ')}) as name,
          row_number() over () as place
        from ${beside} c join ${table} t using (${columns})
        where not (${isGone('t')}) and t.client_id <> all(${ids})
      ) twice`)
    if (twice === undefined || twice.count === 0) continue
    throw new StartError(`${table}: both cells have ${twice.count}, such as ${twice.names}`)
  }
}

/** Adds marking codes, marks and numbers of boxes. @throws StartError where both cells have the same in stock */
export async function mergeUnique(ends: Ends, clients: readonly string[]): Promise<void> {
  const { target } = ends
  await refuseTwice(ends, clients)
  for (const { table, key, isGone } of unique) {
    const from = `select * from ${table} where client_id = any('{${clients.join(',')}}'::uuid[])`
    const columns = await bringBeside(ends, table, from)
    await target.run(`
      delete from ${table} t using coming_${table} c
      where ${key.map((column) => `t.${column} = c.${column}`).join(' and ')} and ${isGone('t')};
      insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from coming_${table}
      on conflict do nothing`)
  }
}
