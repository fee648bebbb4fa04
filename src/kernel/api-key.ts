import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The form of a key: `svc_live_` or `svc_test_`, 43 random base62 characters (256 bits), and 6 of a
 * CRC-32 over all of it before them. By the checksum a mistyped key is refused before the database is
 * asked, and scanners of leaked secrets know one when they see it. Only the SHA-256 and the preview are ever stored.
 */
const modes = ['live', 'test'] as const

/** Which data a key opens (specification, Authentication 2). */
export type KeyMode = (typeof modes)[number]

export interface IssuedKey {
  /** The value itself, to be shown once. */
  readonly key: string
  /** SHA-256 of the value, 32 bytes. */
  readonly hash: Buffer
  /** The first 8 and the last 4 characters: `svc_live…AbCd`. */
  readonly preview: string
}

export interface ReadKey<Kind extends string> {
  readonly mode: Kind
  readonly hash: Buffer
}

export type RandomBytes = (size: number) => Uint8Array

/** Makes a key. `random` is replaced only where the outcome must be known beforehand. */
export function issueKey(mode: KeyMode, random: RandomBytes = randomBytes): IssuedKey {
  return issue(mode, random)
}

/** Takes a key apart; undefined for any text that is not a key in form or whose checksum is wrong. */
export function readKey(text: string): ReadKey<KeyMode> | undefined {
  return read(modes, text)
}

/** A token of staff: of the same form, with `staff` for the mode. */
export function issueStaffToken(random: RandomBytes = randomBytes): IssuedKey {
  return issue('staff', random)
}

/** The SHA-256 of a token of staff; undefined for any text that is none in form or checksum. */
export function readStaffToken(text: string): Buffer | undefined {
  return read(['staff'], text)?.hash
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(`^svc_([a-z]{1,8})_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

function issue(kind: string, random: RandomBytes): IssuedKey {
  const body = `svc_${kind}_${secret(random)}`
  const key = body + checksum(body)
  return { key, hash: digest(key), preview: `${key.slice(0, 8)}…${key.slice(-4)}` }
}

function read<Kind extends string>(
  kinds: readonly Kind[],
  text: string,
): ReadKey<Kind> | undefined {
  const form = FORM.exec(text)
  const mode = kinds.find((kind) => kind === form?.[1])
  if (mode === undefined) return undefined
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return text === body + checksum(body) ? { mode, hash: digest(text) } : undefined
}

/** Bytes from 248 on are thrown away: with them the first eight letters would come up more often. */
function secret(random: RandomBytes): string {
  const unbiased = 256 - (256 % ALPHABET.length)
  let text = ''
  while (text.length < SECRET_LENGTH) {
    for (const byte of random(SECRET_LENGTH - text.length)) {
      if (byte < unbiased) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return text
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    text = ALPHABET[rest % ALPHABET.length] + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

function digest(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}
