import { hkdfSync, randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { StartError } from './kernel/start-error.ts'

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
  /** Seal the secrets of one-time codes. */
  readonly accountKeys: readonly Buffer[]
}

/** Makes a secret on the first start; throws StartError where it is damaged, or missing and not to be made. */
export async function loadSecrets(
  config: Config,
  { makes = true }: { readonly makes?: boolean } = {},
): Promise<Secrets> {
  const { secretKeys, dataDir } = config
  const keys = secretKeys.length > 0 ? secretKeys : [await ownSecret(dataDir, makes)]
  return {
    cursorKeys: keys.map((key) => derive(key, 'cursor')),
    webhookKeys: keys.map((key) => derive(key, 'webhook secrets')),
    cabinetKeys: keys.map((key) => derive(key, 'cabinet credentials')),
    fingerprints: keys.map((key) => derive(key, 'fingerprint').toString('hex').slice(0, 16)),
    accountKeys: keys.map((key) => derive(key, 'one-time codes')),
  }
}

function derive(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `sklad ${purpose}`, 32))
}

/** Without SECRET_KEY: a random secret beside the embedded database, created on the first start. */
async function ownSecret(dataDir: string, makes: boolean): Promise<Buffer> {
  const path = join(dataDir, 'secret.key')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) {
    if (makes) return writeSecret(path)
    throw new StartError(`SECRET_KEY is not set, and there is no ${path}: set it, or copy the file`)
  }
  const secret = Buffer.from(text, 'base64')
  if (secret.length < 32) throw new StartError(`DATA_DIR: ${path} is damaged; restore it`)
  return secret
}

async function writeSecret(path: string): Promise<Buffer> {
  const secret = randomBytes(32)
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'wx', 0o600)
  await file.writeFile(`${secret.toString('base64')}\n`)
  await file.sync()
  await file.close()
  await rename(draft, path)
  return secret
}
