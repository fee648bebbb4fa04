import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfMessage, wholeMessages } from './whole-messages.ts'

function message(kind: string, content: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(content)
  const header = Buffer.from(`${kind}1234`)
  header.writeUInt32BE(bytes.length + 4, 1)
  return Buffer.concat([header, bytes])
}

const messages = [
  message('1'),
  message('2'),
  message('D', 'строка'),
  message('D', 'x'.repeat(300)),
  message('C', 'SELECT 2\0'),
  message('Z', 'I'),
  message('n'),
]
const stream = Buffer.concat(messages)

/** What is handed on, message by message. The pieces are overwritten as soon as they have been read, as a socket's are. */
function read(pieces: readonly Buffer[]): Buffer[] {
  const seen: Buffer[] = []
  const take = wholeMessages((bytes) => {
    for (let at = 0; at < bytes.length; at = endOfMessage(bytes, at)) {
      seen.push(Buffer.from(bytes.subarray(at, endOfMessage(bytes, at))))
    }
  })
  const shared = Buffer.alloc(Math.max(...pieces.map(({ length }) => length)))
  for (const piece of pieces) {
    piece.copy(shared)
    take(shared.subarray(0, piece.length))
    shared.fill('?')
  }
  return seen
}

test('a stream that is cut anywhere gives the same messages, also when its pieces are overwritten', () => {
  assert.deepEqual(read([stream]), messages)
  for (let first = 0; first <= stream.length; first += 1) {
    assert.deepEqual(read([stream.subarray(0, first), stream.subarray(first)]), messages)
  }
  for (const size of [1, 2, 3, 4, 5, 6, 7, 64]) {
    const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, n) =>
      stream.subarray(n * size, (n + 1) * size),
    )
    assert.deepEqual(read(pieces), messages, `${size}`)
  }
})

test('a message of megabytes comes whole', () => {
  const large = [message('D', 'ж'.repeat(1_700_000)), message('Z', 'I')]
  const bytes = Buffer.concat(large)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, n) =>
    bytes.subarray(n * 65_536, (n + 1) * 65_536),
  )
  assert.deepEqual(read(pieces), large)
})

test('a length that nothing follows takes no memory of that size', () => {
  const before = process.memoryUsage().arrayBuffers
  const take = wholeMessages(() => assert.fail('nothing is whole'))
  take(Buffer.from('HTTP/1.1 400 Bad Request'))
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024)
})

test('a message that has only begun is not handed on', () => {
  assert.deepEqual(read([stream.subarray(0, -1)]), messages.slice(0, -1))
  assert.deepEqual(read([stream.subarray(0, 3)]), [])
})

test('a length that is too small to count itself ends its message behind the header', () => {
  const wrong = Buffer.from([0x44, 0, 0, 0, 0])
  const pieces = Array.from(Buffer.concat([wrong, message('Z', 'I')]), (byte) => Buffer.of(byte))
  for (const way of [pieces, [Buffer.concat(pieces)]]) {
    assert.deepEqual(read(way), [wrong, message('Z', 'I')])
  }
})
