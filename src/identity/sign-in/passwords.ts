import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Turns } from '../../platform/concurrency/turns.ts'
import { rateLimited } from '../../platform/kernel/errors.ts'

/**
 * Hashes of passwords: Argon2id (RFC 9106) with 19 MiB and 2 passes, in the algorithm's own string
 * form. The string names the cost, so a later increase leaves old hashes readable.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

export const passwordLengthMin = 8
export const passwordLengthMax = 200

const patienceSeconds = 3

/** Computing a hash takes 19 MiB: at most two run at once. One that waits for too long is refused. */
const turns = new Turns({
  atOnceMax: 2,
  waitingMax: 1,
  patienceMs: patienceSeconds * 1_000,
  refusal: () =>
    rateLimited(patienceSeconds, `Сейчас входят многие, повторите через ${patienceSeconds} с`),
})

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

/** Throws rate_limited where too many others wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await inTurn(password, salt, cost)
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

const form =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Whether the password matches the hash. Without a hash it answers false after the same work, so
 * that the time does not reveal whether a user exists. Throws rate_limited where too many others wait.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = form.exec(hash ?? nobody) ?? []
  const spent = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
  const made = await inTurn(password, Buffer.from(salt, 'base64'), spent)
  const kept = Buffer.from(tag, 'base64')
  return hash !== null && made.length === kept.length && timingSafeEqual(made, kept)
}

/** The hash of a random password that nobody knows. */
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(randomBytes(saltBytes))}$${base64(randomBytes(tagBytes))}`

function inTurn(password: string, salt: Buffer, spent: typeof cost): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'))
  return turns.run(Symbol('hash'), () =>
    derive('argon2id', { message, nonce: salt, tagLength: tagBytes, ...spent }),
  )
}

/** Base64 without padding, as in the string form. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
