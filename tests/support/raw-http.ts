import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type Answer, readAnswer } from './client.ts'

const patienceMs = 60_000

/**
 * Sends bytes as they are and reads the first final answer, with the checks of every answer. `path` is the
 * path that the bytes request; the checks need it. The bytes should request `Connection: close`. The answer
 * to HEAD ends with its headers.
 */
export async function sendRaw(
  baseUrl: string,
  path: string,
  bytes: string | Uint8Array,
): Promise<Answer> {
  const received = (await exchange(baseUrl, bytes)).toString('latin1')
  const final = received.replace(/^(HTTP\/1\.1 1\d\d[^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, '')
  const [, status = '', head = '', rest = ''] =
    /^HTTP\/1\.1 (\d{3})[^\r]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(final) ?? []
  assert.notEqual(
    status,
    '',
    `${path}: no HTTP answer but ${JSON.stringify(received.slice(0, 200))}`,
  )
  const headers = new Headers()
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return readAnswer(path, Number(status), headers, Buffer.from(rest, 'latin1').toString())
}

/** A request with a key, on a connection of its own. */
export function rawRequest(line: string, key: string | undefined, more = '', body = ''): string {
  const auth = key === undefined ? '' : `X-Api-Key: ${key}\r\n`
  return `${line} HTTP/1.1\r\nHost: sklad.test\r\n${auth}Connection: close\r\n${more}\r\n${body}`
}

/** Sends bytes as they are; all that comes back. */
export function exchange(baseUrl: string, bytes: string | Uint8Array): Promise<Buffer> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port || 80), hostname)
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('no answer in time')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // The service may hang up while we still send; its answer before that counts.
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}
