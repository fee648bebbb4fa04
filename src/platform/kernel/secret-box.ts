import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/**
 * Encrypts secrets at rest with AES-256-GCM. A box holds the version (1 byte), the id of its key (4), the nonce (12),
 * the text and the tag (16). Version, key id and context, such as the id of the row, are authenticated with the text.
 * So a box that was moved to another row or changed by one bit does not open.
 */
export interface SecretBox {
  /** Encrypts with the first key and a new random nonce. */
  seal(text: string, context: string): Buffer
  /** Throws an Error, which reveals no content, if no key opens the box in this context. */
  open(sealed: Uint8Array, context: string): string
  /** Whether the box says that the first key sealed it. Does not try to open it. */
  isNewest(sealed: Uint8Array): boolean
  /** Whether the box says that one of the keys sealed it. Its first bytes are enough. */
  knows(sealed: Uint8Array): boolean
}

const VERSION = 1
const KEY_BYTES = 32
const ID_BYTES = 4
const HEAD_BYTES = 1 + ID_BYTES
const NONCE_BYTES = 12
const TAG_BYTES = 16

interface BoxKey {
  readonly key: Buffer
  readonly head: Buffer
}

/** `keys` have 32 bytes each, the newest first: the newest encrypts, and all of them open. */
export function makeSecretBox(keys: readonly Buffer[]): SecretBox {
  const boxKeys = keys.map(boxKey)
  const [newest] = boxKeys
  if (newest === undefined) throw new TypeError('a secret box needs a key')
  return {
    seal: (text, context) => seal(newest, text, context),
    open: (sealed, context) => open(boxKeys, Buffer.from(sealed), context),
    isNewest: (sealed) => newest.head.equals(sealed.subarray(0, HEAD_BYTES)),
    knows: (sealed) => boxKeys.some(({ head }) => head.equals(sealed.subarray(0, HEAD_BYTES))),
  }
}

function boxKey(key: Buffer): BoxKey {
  if (key.length !== KEY_BYTES) throw new TypeError(`a key of a secret box has ${KEY_BYTES} bytes`)
  const id = createHmac('sha256', key).update('secret box key id').digest().subarray(0, ID_BYTES)
  return { key, head: Buffer.concat([Buffer.of(VERSION), id]) }
}

function seal({ key, head }: BoxKey, text: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.concat([head, Buffer.from(context)]))
  return Buffer.concat([
    head,
    nonce,
    cipher.update(text, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

function open(keys: readonly BoxKey[], sealed: Buffer, context: string): string {
  if (sealed.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES)
    throw new Error('sealed secret: cut off')
  const head = sealed.subarray(0, HEAD_BYTES)
  const known = keys.filter((each) => each.head.equals(head))
  if (known.length === 0) throw new Error('sealed secret: sealed with a key that is not here')
  for (const { key } of known) {
    const text = openWith(key, sealed, context)
    if (text !== undefined) return text
  }
  throw new Error('sealed secret: damaged, or of another row')
}

function openWith(key: Buffer, sealed: Buffer, context: string): string | undefined {
  const nonce = sealed.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.concat([sealed.subarray(0, HEAD_BYTES), Buffer.from(context)]))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    const text = decipher.update(sealed.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
