import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Mode, modes } from './mode.ts'

/**
 * An API key: `svc_live_` or `svc_test_`, in a cell the cell's mark, 43 random base62 characters (256 bits), and 6 characters
 * of a CRC-32 over everything before them. The checksum refuses a mistyped key without a query, and
 * lets scanners of leaked secrets recognise a key. Only the SHA-256 and the preview are stored. The length says whether
 * there is a mark.
 */
export interface GeneratedKey {
  /** The value itself; it is shown once. */
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

/** One letter or digit; empty where there are no cells. */
export type CellMark = string

export type RandomBytes = (size: number) => Uint8Array

/** Makes a key. `random` is replaced only where the result must be reproducible. */
export function generateKey(
  mode: Mode,
  cell: CellMark = '',
  random: RandomBytes = randomBytes,
): GeneratedKey {
  return generate(mode, cell, random)
}

/** Reads a key; undefined if its form or its checksum is wrong. */
export function readKey(text: string): ReadKey<Mode> | undefined {
  return read(modes, text)
}

/** Makes a staff token. It has the form of a key with `staff` as the mode. */
export function generateStaffToken(cell: CellMark = ''): GeneratedKey {
  return generate('staff', cell, randomBytes)
}

/** The SHA-256 of a staff token; undefined if its form or its checksum is wrong. */
export function readStaffToken(text: string): Buffer | undefined {
  return read(['staff'], text)?.hash
}

const SHOWN_KEY = /(svc_(?:live|test|staff)_)[0-9A-Za-z]+/gi

/** Hides everything in a text that looks like a key or a token, whole or cut off, behind its prefix. */
export function maskKeys(text: string): string {
  return text.replace(SHOWN_KEY, '$1***')
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(
  `^svc_([a-z]{1,8})_[0-9A-Za-z]?[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
)

function generate(kind: string, cell: CellMark, random: RandomBytes): GeneratedKey {
  const body = `svc_${kind}_${cell}${secret(random)}`
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

/** Skips bytes from 248 on: they would make the first eight characters more frequent. */
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
  let remainder = crc32(body)
  let text = ''
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    text = ALPHABET[remainder % ALPHABET.length] + text
    remainder = Math.floor(remainder / ALPHABET.length)
  }
  return text
}

function digest(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}
