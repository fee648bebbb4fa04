import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** What the next requests get; `hang`: nothing, `drip`: an answer that never ends, `flood`: one that is too long. */
export type S3Trouble = 'hang' | 'drip' | 'flood' | number | undefined

export interface S3Server {
  /** The setting BLOB_URL. */
  readonly url: string
  readonly objects: Map<string, Buffer>
  /** Methods and keys, in order. */
  readonly asked: string[]
  trouble: S3Trouble
}

const [accessKey, secretKey, region, bucket] = ['AKIATEST', 'se/cret+key', 'ru-test1', 'photos']

/** S3 on this machine: puts, gets and deletes objects of a bucket for requests with a right signature, until the tests of the file end. */
export async function openS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const state: { trouble: S3Trouble; asked: string[] } = { trouble: undefined, asked: [] }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method = '', url = '' } = request
    const key = url.replace(`/${bucket}/`, '')
    state.asked.push(`${method} ${key}`)
    const { trouble } = state
    if (trouble === 'hang') return
    if (trouble === 'drip') return response.writeHead(200).write('x')
    if (trouble === 'flood') return response.end(Buffer.alloc(8 * 1024 * 1024))
    if (trouble !== undefined) return response.writeHead(trouble).end('<Error/>')
    if (!isSigned(request, body)) return response.writeHead(403).end('<Error/>')
    if (method === 'PUT') objects.set(key, body)
    if (method === 'DELETE') objects.delete(key)
    const object = objects.get(key)
    if (method === 'GET' && object === undefined) return response.writeHead(404).end('<Error/>')
    return response
      .writeHead(method === 'DELETE' ? 204 : 200)
      .end(method === 'GET' ? object : undefined)
  })
  after(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const secret = encodeURIComponent(secretKey)
  return Object.assign(state, {
    url: `http://${accessKey}:${secret}@127.0.0.1:${port}/${bucket}?region=${region}`,
    objects,
  })
}

/** By Amazon's description of Signature Version 4, without the client that signs. */
function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/
  const [, id, day = '', zone = '', names = '', signature] =
    pattern.exec(headers.authorization ?? '') ?? []
  const hash = createHash('sha256').update(body).digest('hex')
  if (id !== accessKey || zone !== region || headers['x-amz-content-sha256'] !== hash) return false
  const signed = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) {
    return false
  }
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const canonical = [method, url, '', lines, names, hash].join('\n')
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/${zone}/s3/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const keyed = [day, zone, 's3', 'aws4_request'].reduce<Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    Buffer.from(`AWS4${secretKey}`),
  )
  return createHmac('sha256', keyed).update(text).digest('hex') === signature
}
