import type { FastifyInstance } from 'fastify'
import type { Database } from '../../platform/db/connection.ts'
import type { Drain } from './drain.ts'

/** /healthz: the process runs. /readyz: it can serve, because the database answers and no stop has begun. */
export function addHealth(app: FastifyInstance, db: Database, drain: Drain): void {
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    drain.noteProbe()
    if (drain.isStopping) return reply.code(503).send({ status: 'stopping' })
    const ready = await Promise.race([
      db`select 1`.then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, 2_000, false).unref()),
    ])
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', database: ready ? 'ok' : 'unavailable' })
  })
}
