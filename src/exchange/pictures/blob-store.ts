import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from '../../platform/kernel/clock.ts'
import { hostOf, namesOwnNetwork } from '../webhooks/addresses.ts'
import { makeEgress } from '../webhooks/egress.ts'

/**
 * Objects in a bucket of S3, through the egress guard: one request, one answer, no redirect and no repeat. Each request ends within
 * `timeoutMs` in any case, and an answer with more bytes than were asked for is broken off.
 */

export interface BlobAddress {
  /** Of the bucket, and a folder in it where one is named; without a slash at the end. */
  readonly url: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

export interface BlobStore {
  put(key: string, bytes: Buffer): Promise<void>
  /** Undefined where nothing is kept under the key. */
  get(key: string): Promise<Buffer | undefined>
  /** Succeeds for a key without an object, too. */
  remove(key: string): Promise<void>
}

/** Answers are objects of up to two megabytes, or messages of errors. */
const answerBytesMax = 4 * 1024 * 1024

/** The operator's own network is reached where the setting names it; a public name never leads into it. */
export function openBlobStore(address: BlobAddress, clock: Clock, timeoutMs = 10_000): BlobStore {
  const { url: root, ...keys } = address
  const isOwn = namesOwnNetwork(hostOf(new URL(root)))
  const egress = makeEgress({ privateTargets: isOwn ? 'allow' : 'deny', timeoutMs })

  async function ask(method: string, key: string, bytes?: Buffer) {
    const destination = egress.destination(`${root}/${key}`, 'live')
    const { headers } = await new AwsV4Signer({
      ...keys,
      service: 's3',
      method,
      url: destination.url,
      headers: { 'x-amz-content-sha256': sha256(bytes ?? Buffer.alloc(0)) },
      datetime: new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    }).sign()
    const signal = AbortSignal.timeout(destination.timeoutMs)
    const connection = destination.take()
    try {
      const { path } = destination
      const answer = await connection.client.request({
        path,
        method: method as 'GET',
        headers: { ...Object.fromEntries(headers), 'content-type': 'image/jpeg' },
        body: bytes ?? null,
        signal,
      })
      const body = await within(answer.body)
      connection.giveBack()
      return { status: answer.statusCode, body }
    } catch (error) {
      connection.drop(error instanceof Error ? error : new Error('failed'))
      throw error
    }
  }

  return {
    async put(key, bytes) {
      const { status } = await ask('PUT', key, bytes)
      if (status !== 200) throw new Error(`the store answered ${status} to PUT`)
    },
    async get(key) {
      const { status, body } = await ask('GET', key)
      if (status === 404) return undefined
      if (status !== 200) throw new Error(`the store answered ${status} to GET`)
      return body
    },
    async remove(key) {
      const { status } = await ask('DELETE', key)
      if (![200, 204, 404].includes(status)) {
        throw new Error(`the store answered ${status} to DELETE`)
      }
    },
  }
}

async function within(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > answerBytesMax) throw new Error('the store answers with too many bytes')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
