import type { OpenAPIV3_2 } from '@fastify/swagger'
import Fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifySchema,
  type RouteOptions,
} from 'fastify'
import type { TSchema } from 'typebox'

import { namedSchemasIn } from '../../platform/kernel/schema.ts'
import { documentedSchema } from '../route/operation.ts'
import { describeOnly } from '../server/describe-only.ts'
import { type DescribedHeaders, shareHeaders } from './header-components.ts'
import { addReferencePage } from './reference-page.ts'
import { orderSchemas } from './schema-order.ts'

type Document = OpenAPIV3_2.Document

/** The addresses that a reference names. */
export interface Addresses {
  readonly baseUrl: string
  readonly docsUrl: string
  /** An email address or an http(s) address. */
  readonly supportContact: string | undefined
}

/** The description of an API in its reference. */
export interface Described {
  readonly addresses: Addresses
  readonly title: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly servers: string
  readonly tags: NonNullable<Document['tags']>
  readonly webhooks?: Document['webhooks']
  readonly securitySchemes: NonNullable<Document['components']>['securitySchemes']
  readonly preferredSecurity: string
  /** The envelope of errors. */
  readonly error: TSchema
  /** The path above `openapi.json` and `docs`. */
  readonly prefix: '' | `/${string}`
  /** A sentence to add to the description of a route. */
  readonly note?: (config: FastifyContextConfig) => string
  /** Another description of a route whose module describes it for another API. */
  readonly adapt?: (schema: FastifySchema) => FastifySchema
  readonly finish?: (document: { readonly paths?: object }) => void
}

/**
 * Adds the OpenAPI document of the routes that `app` gets after this, and the page that shows it.
 * Each API needs a context of its own: one context has one document. Answers a function that reads the document.
 */
export async function addReference(
  app: FastifyInstance,
  api: Described,
): Promise<() => Promise<string>> {
  const routes = rememberRoutes(app)
  let text: Promise<string> | undefined
  const document = () => {
    text ??= makeDocument(routes, api)
    return text
  }
  const { prefix, title, preferredSecurity } = api
  const { baseUrl } = api.addresses
  await addReferencePage(app, { baseUrl, prefix, title, preferredSecurity, document })
  return document
}

type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'config'> & {
  readonly schema: FastifySchema
}

/** Fills with the routes that `app` gets after this. */
function rememberRoutes(app: FastifyInstance): readonly DescribedRoute[] {
  const routes: DescribedRoute[] = []
  app.addHook('onRoute', ({ method, url, config = {}, schema }) => {
    if (method === 'HEAD' || schema === undefined || schema.hide) return
    routes.push({ method, url, config, schema })
  })
  return routes
}

/**
 * The document as JSON, made at its first reading by a server that nobody reaches: the objects of which it is made are
 * ten times its size, and nothing of them stays.
 */
async function makeDocument(routes: readonly DescribedRoute[], api: Described): Promise<string> {
  const { default: swagger } = await import('@fastify/swagger')
  const server = Fastify({ schemaController: describeOnly, exposeHeadRoutes: false })
  registerSchemas(server, api.error)
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: api.title,
        version: api.version,
        description: api.description,
        contact: contactOf(api.addresses.supportContact),
        license: { name: api.license, url: api.addresses.docsUrl },
      },
      servers: [{ url: api.addresses.baseUrl, description: api.servers }],
      tags: api.tags,
      ...(api.webhooks === undefined ? {} : { webhooks: api.webhooks }),
      components: { securitySchemes: api.securitySchemes ?? {} },
    },
    refResolver: { buildLocalReference: (schema) => String(schema.$id) },
    transform({ schema: described, url, route }) {
      const schema = api.adapt?.(described) ?? described
      const note = api.note?.(route.config ?? {}) ?? ''
      const description = `${schema.description ?? ''}${note}`
      return { url, schema: note === '' ? schema : { ...schema, description } }
    },
    transformObject(made) {
      const document = 'openapiObject' in made ? made.openapiObject : {}
      orderSchemas(document)
      shareHeaders(document as DescribedHeaders)
      api.finish?.(document)
      return document
    },
  })
  for (const { schema, ...route } of routes) {
    server.route({ ...route, schema: documentedSchema(schema), handler: () => undefined })
  }
  await server.ready()
  return JSON.stringify(server.swagger())
}

function contactOf(contact: string | undefined) {
  if (contact === undefined) return { name: 'Менеджер вашего склада' }
  const name = 'Поддержка склада'
  return contact.includes('://') ? { name, url: contact } : { name, email: contact }
}

/** Registers the named schemas of every route that is added to `app` after this. */
function registerSchemas(app: FastifyInstance, error: TSchema): void {
  const known = new Map<unknown, TSchema>()
  const register = (schema: TSchema) => {
    const { $id } = schema as { $id?: string }
    const other = known.get($id)
    if (other === schema) return
    if (other !== undefined) throw new Error(`two schemas have the name ${$id}`)
    known.set($id, schema)
    app.addSchema(schema)
  }
  register(error)
  app.addHook('onRoute', ({ schema }) => {
    for (const each of namedSchemasIn(schema)) register(each)
  })
}
