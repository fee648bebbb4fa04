import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { entityTag, isHeld, type TaggedAnswer } from '../server/entity-tag.ts'
import { type PackedFile, tarOf } from './tar.ts'

const folder = new URL('../../../sdk/typescript/', import.meta.url)

/**
 * Serves the integrators' package at /sdk/client.tgz, without a key, for `npm i {base_url}/sdk/client.tgz`.
 * It is made from the sources at the first request: the same sources make the same bytes.
 */
export function addClientPackage(app: FastifyInstance, baseUrl: string): void {
  let made: Buffer | undefined
  let answer: TaggedAnswer | undefined
  app.get('/sdk/client.tgz', { schema: { hide: true } }, (request, reply) => {
    made ??= gzipSync(tarOf(clientFiles(baseUrl)))
    answer ??= taggedAnswer(made)
    reply.header('ETag', entityTag(request, answer)).header('Cache-Control', 'no-cache')
    if (isHeld(request, answer)) return reply.code(304).send()
    return reply.type('application/gzip').send(made)
  })
}

function taggedAnswer(bytes: Buffer): TaggedAnswer {
  const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return { tag, isCompressed: false }
}

/** Where the sources show the address of a service. */
const shownAddress = 'https://api.example.ru'

/**
 * What `npm pack` puts into the package, with the types stripped by Node instead of the compiler, and the service's own address
 * where the sources show one.
 */
function clientFiles(baseUrl: string): PackedFile[] {
  const read = (path: string) =>
    readFileSync(new URL(path, folder), 'utf8').replaceAll(shownAddress, baseUrl)
  const inFolder = (path: string) => readdirSync(new URL(path, folder)).sort()
  const whole = ['package.json', 'README.md', ...inFolder('types').map((name) => `types/${name}`)]
  const stripped = inFolder('src').map((name) => ({
    path: `package/dist/${name.replace(/\.ts$/, '.js')}`,
    text: stripTypeScriptTypes(read(`src/${name}`)).replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"),
  }))
  return [...whole.map((path) => ({ path: `package/${path}`, text: read(path) })), ...stripped]
}
