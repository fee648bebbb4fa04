import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * Passwords at rest: Argon2id (RFC 9106) with 19 MiB and 2 passes, written as the algorithm's own
 * string form, so that the cost may be raised later and old hashes still be read.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

export const passwordLengthMin = 8
export const passwordLengthMax = 200

/** Each hash holds its memory while it is made, so only so many are made at once. */
const hashesAtOnceMax = 2

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await inTurn(() => tagOf(password, salt, cost))
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

const form =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Whether the password is the one that was hashed. Where there is no hash, false after the same work:
 * the time does not tell whether somebody exists.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = form.exec(hash ?? nobody) ?? []
  const spent = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
  const made = await inTurn(() => tagOf(password, Buffer.from(salt, 'base64'), spent))
  const kept = Buffer.from(tag, 'base64')
  return hash !== null && made.length === kept.length && timingSafeEqual(made, kept)
}

/** A password that nobody knows. */
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(randomBytes(saltBytes))}$${base64(randomBytes(tagBytes))}`

function tagOf(password: string, salt: Buffer, spent: typeof cost): Promise<Buffer> {
  return derive('argon2id', {
    message: Buffer.from(password.normalize('NFC')),
    nonce: salt,
    tagLength: tagBytes,
    ...spent,
  })
}

/** Without padding, as the string form has it. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= hashesAtOnceMax) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
