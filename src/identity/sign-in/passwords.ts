import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { atOnce } from '../../platform/concurrency/at-once.ts'

/**
 * Hashes of passwords: Argon2id (RFC 9106) with 19 MiB and 2 passes, in the algorithm's own string
 * form. The string names the cost, so a later increase leaves old hashes readable.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

export const passwordLengthMin = 8
export const passwordLengthMax = 200

/** Computing a hash takes 19 MiB: at most two run at once, the others wait. */
const hashing = atOnce(2)

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await hashing(() => tagOf(password, salt, cost))
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

const form =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Whether the password matches the hash. Without a hash it answers false after the same work, so
 * that the time does not reveal whether a user exists.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = form.exec(hash ?? nobody) ?? []
  const spent = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
  const made = await hashing(() => tagOf(password, Buffer.from(salt, 'base64'), spent))
  const kept = Buffer.from(tag, 'base64')
  return hash !== null && made.length === kept.length && timingSafeEqual(made, kept)
}

/** The hash of a random password that nobody knows. */
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(randomBytes(saltBytes))}$${base64(randomBytes(tagBytes))}`

function tagOf(password: string, salt: Buffer, spent: typeof cost): Promise<Buffer> {
  return derive('argon2id', {
    message: Buffer.from(password.normalize('NFC')),
    nonce: salt,
    tagLength: tagBytes,
    ...spent,
  })
}

/** Base64 without padding, as in the string form. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
