import { hkdfSync, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database, Queryable } from '../db/connection.ts'
import { StartError } from '../kernel/errors.ts'
import { makeSecretBox } from '../kernel/secret-box.ts'
import { flushDirectory } from '../postgres/cluster.ts'

/**
 * Keys by purpose, derived from the service's secrets (`SECRET_KEY`). The first key of a purpose seals and
 * signs; all of them open and verify, so that a secret can be replaced while old values are in use.
 */
export interface Secrets {
  readonly cursorKeys: readonly Buffer[]
  /** Seal the signing secrets of webhook subscriptions. */
  readonly webhookKeys: readonly Buffer[]
  /** Seal the credentials of cabinets. */
  readonly cabinetKeys: readonly Buffer[]
  /** Name each secret without showing it. */
  readonly fingerprints: readonly string[]
  /** Seal the secrets of one-time codes, and keys that their owners have not seen. */
  readonly accountKeys: readonly Buffer[]
  /** Make the codes that confirm addresses, and sign the links that end letters. */
  readonly noticeKeys: readonly Buffer[]
}

/** Of the service's settings: the secrets, newest first, and the directory that has the service's own one. */
export interface SecretSettings {
  readonly secretKeys: readonly Buffer[]
  readonly dataDir: string
}

/**
 * The secrets of the settings, or the service's own one, which is made if `mayMake` allows it. Throws StartError where that
 * is missing, damaged or cannot be read.
 */
export async function loadSecrets(
  settings: SecretSettings,
  mayMake: () => Promise<boolean> = async () => false,
): Promise<Secrets> {
  const { secretKeys, dataDir } = settings
  const keys = secretKeys.length > 0 ? secretKeys : [await ownSecret(dataDir, mayMake)]
  return {
    cursorKeys: keys.map((key) => derive(key, 'cursor')),
    webhookKeys: keys.map((key) => derive(key, 'webhook secrets')),
    cabinetKeys: keys.map((key) => derive(key, 'cabinet credentials')),
    fingerprints: keys.map((key) => derive(key, 'fingerprint').toString('hex').slice(0, 16)),
    accountKeys: keys.map((key) => derive(key, 'one-time codes')),
    noticeKeys: keys.map((key) => derive(key, 'notices')),
  }
}

function derive(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `sklad ${purpose}`, 32))
}

type Sealing = 'webhookKeys' | 'cabinetKeys' | 'accountKeys'

/** All columns with sealed values, and the keys that seal them. */
const sealedColumns: readonly (readonly [table: string, column: string, by: Sealing])[] = [
  ['webhook_subscriptions', 'secret', 'webhookKeys'],
  ['cabinets', 'credentials', 'cabinetKeys'],
  ['cabinets', 'seller', 'cabinetKeys'],
  ['seller_users', 'totp_secret', 'accountKeys'],
  ['seller_users', 'totp_offered', 'accountKeys'],
  ['key_requests', 'sealed_key', 'accountKeys'],
]

/** Whether nothing in the database is sealed, so that a new secret makes nothing unreadable. */
export async function isNothingSealed(db: Queryable): Promise<boolean> {
  for (const [table, column] of sealedColumns) {
    const [sealed] = await db`
      select from ${db(table)} where ${db(column)} is not null limit 1`
    if (sealed !== undefined) return false
  }
  return true
}

/** Whether each sealed value names one of these secrets as its own. */
async function isAllKnown(db: Queryable, secrets: Secrets): Promise<boolean> {
  for (const [table, column, by] of sealedColumns) {
    const box = makeSecretBox(secrets[by])
    const heads = await db<{ head: Buffer }[]>`
      select distinct substring(${db(column)} from 1 for 5) as head from ${db(table)}
      where ${db(column)} is not null`
    if (!heads.every(({ head }) => box.knows(head))) return false
  }
  return true
}

/**
 * Refuses to go on without a secret that the service had when it last started, and that still opens something: what it sealed
 * would fail one by one, and nobody would think of the settings. `secrets reseal --former-key-lost` gives such a secret up.
 */
export async function refuseMissingSecret(db: Queryable, secrets: Secrets): Promise<void> {
  const before = await recordedFingerprints(db)
  if (before.every((each) => secrets.fingerprints.includes(each))) return
  if (await isAllKnown(db, secrets)) return
  throw new StartError(
    'SECRET_KEY, or secret.key, is another than the service had, and does not open what that one sealed: ' +
      'add the former key behind this one, by comma; if it is lost, run "sklad secrets reseal --former-key-lost" first',
  )
}

/** Without SECRET_KEY: a random secret beside the embedded database. */
async function ownSecret(dataDir: string, mayMake: () => Promise<boolean>): Promise<Buffer> {
  const path = join(dataDir, 'secret.key')
  const kept = await readSecret(path)
  if (kept !== undefined) return kept
  if (await mayMake()) return makeSecret(path)
  throw new StartError(`SECRET_KEY is not set, and there is no ${path}: set it, or copy the file`)
}

/** Undefined only where there is no file: one that cannot be read must not be replaced. */
async function readSecret(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(`DATA_DIR: ${path} cannot be read: ${error.code}`)
  })
  if (text === undefined) return undefined
  const secret = Buffer.from(text, 'base64')
  if (secret.length < 32) throw new StartError(`DATA_DIR: ${path} is damaged; restore it`)
  return secret
}

/** Of several processes that start at once, one makes the secret of all. */
async function makeSecret(path: string): Promise<Buffer> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  // A sealed value may be on disk at once, so the file that opens it must be, too.
  flushDirectory(dirname(path))
  const made = await readSecret(path)
  if (made === undefined) throw new StartError(`DATA_DIR: ${path} vanished`)
  return made
}

/** Notes in the database by which secrets the process that started last works. */
export async function recordFingerprints(
  db: Database,
  { fingerprints }: Pick<Secrets, 'fingerprints'>,
): Promise<void> {
  await db`
    with gone as (delete from secret_fingerprints where place >= ${fingerprints.length}::int)
    insert into secret_fingerprints as s (place, fingerprint)
    select place - 1, fingerprint
    from unnest(${[...fingerprints]}::text[]) with ordinality as f (fingerprint, place) order by place
    on conflict (place) do update set fingerprint = excluded.fingerprint
      where s.fingerprint <> excluded.fingerprint`
}

/** Newest first; none where no process of this version has started. */
export async function recordedFingerprints(db: Queryable): Promise<string[]> {
  const rows = await db<{ fingerprint: string }[]>`
    select fingerprint from secret_fingerprints order by place`
  return rows.map(({ fingerprint }) => fingerprint)
}
