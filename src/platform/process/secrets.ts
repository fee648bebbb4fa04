import { hkdfSync, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Queryable } from '../db/connection.ts'
import { StartError } from '../kernel/start-error.ts'
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

/** Whether nothing in the database is sealed, so that a new secret makes nothing unreadable. */
export async function isNothingSealed(db: Queryable): Promise<boolean> {
  const [{ nothing }] = await db<[{ nothing: boolean }]>`
    select not (exists (select from webhook_subscriptions)
      or exists (select from cabinets where credentials is not null or seller is not null)
      or exists (select from seller_users where totp_secret is not null or totp_offered is not null)
      or exists (select from key_requests where sealed_key is not null)) as nothing`
  return nothing
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
  // What is sealed may be on disk at once: so must the file be that opens it.
  flushDirectory(dirname(path))
  const made = await readSecret(path)
  if (made === undefined) throw new StartError(`DATA_DIR: ${path} vanished`)
  return made
}
