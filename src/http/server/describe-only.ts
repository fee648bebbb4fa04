import type { FastifyServerOptions } from 'fastify'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>

/**
 * Schemas describe routes and check nothing: query.ts and body.ts read requests. So the framework need not load its
 * own compilers of schemas. Its types want what only those compilers return.
 */
export const describeOnly = {
  compilersFactory: {
    buildValidator: () => () => () => true,
    buildSerializer: () => () => JSON.stringify,
  },
} as unknown as SchemaController
