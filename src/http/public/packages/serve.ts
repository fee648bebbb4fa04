import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { entityTag, isHeld } from '../../server/entity-tag.ts'
import {
  clientSources,
  composerRepository,
  npmPackage,
  phpArchive,
  phpArchiveName,
  pythonWheel,
  wheelName,
} from './clients.ts'

/**
 * Serves the integrators' packages below /sdk, without a key: npm, pip and Composer install from there what fits this service.
 * Each is made from the sources at the first request: the same sources make the same bytes.
 */
export function addClientPackages(app: FastifyInstance, baseUrl: string): void {
  const sources = clientSources(baseUrl)
  const archive = `/sdk/${phpArchiveName(sources)}`
  servePackage(app, '/sdk/client.tgz', 'application/gzip', () => npmPackage(sources))
  servePackage(app, `/sdk/${wheelName(sources)}`, 'application/zip', () => pythonWheel(sources))
  servePackage(app, archive, 'application/zip', () => phpArchive(sources))
  servePackage(app, '/sdk/packages.json', 'application/json; charset=utf-8', () =>
    composerRepository(sources, baseUrl + archive),
  )
}

function servePackage(
  app: FastifyInstance,
  path: string,
  type: string,
  make: () => Buffer | Promise<Buffer>,
): void {
  let made: Promise<{ readonly bytes: Buffer; readonly tag: string }> | undefined
  const makeTagged = async () => {
    const bytes = await make()
    return { bytes, tag: createHash('sha256').update(bytes).digest('hex').slice(0, 32) }
  }
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    made ??= makeTagged().catch((error) => {
      made = undefined
      throw error
    })
    const { bytes, tag } = await made
    const answer = { tag, isCompressed: false }
    reply.header('ETag', entityTag(request, answer)).header('Cache-Control', 'no-cache')
    if (isHeld(request, answer)) return reply.code(304).send()
    return reply.type(type).send(bytes)
  })
}
