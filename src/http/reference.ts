import swagger, { type OpenAPIV3_2 } from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'

type Document = OpenAPIV3_2.Document

/** An API as its reference shows it. */
export interface Described {
  readonly baseUrl: string
  readonly title: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly servers: string
  readonly tags: NonNullable<Document['tags']>
  readonly webhooks?: Document['webhooks']
  readonly securitySchemes: NonNullable<Document['components']>['securitySchemes']
  readonly preferredSecurity: string
  /** With names of their own ($id). */
  readonly schemas: readonly TSchema[]
  /** Below which `openapi.json` and `docs` lie: empty, or with a slash before it. */
  readonly prefix: '' | `/${string}`
  /** What the reference adds to the description of a route. */
  readonly note?: (config: FastifyContextConfig) => string
  readonly finish?: (document: { readonly paths?: object }) => void
}

/**
 * The OpenAPI document, made from the routes that are added to `app` after this, and the page that
 * shows it. `app` must be a context of its own: two APIs are two documents.
 */
export async function addReference(app: FastifyInstance, api: Described): Promise<void> {
  const { baseUrl, prefix } = api
  for (const schema of api.schemas) app.addSchema(schema)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: api.title,
        version: api.version,
        description: api.description,
        contact: { name: 'Поддержка Sklad', url: `${baseUrl}${prefix}/docs` },
        license: { name: api.license, url: `${baseUrl}${prefix}/docs` },
      },
      servers: [{ url: baseUrl, description: api.servers }],
      tags: api.tags,
      ...(api.webhooks === undefined ? {} : { webhooks: api.webhooks }),
      components: { securitySchemes: api.securitySchemes ?? {} },
    },
    refResolver: { buildLocalReference: (schema) => String(schema.$id) },
    transform({ schema, url, route }) {
      const note = api.note?.(route.config ?? {}) ?? ''
      const description = `${schema.description ?? ''}${note}`
      return { url, schema: note === '' ? schema : { ...schema, description } }
    },
    transformObject(made) {
      const document = 'openapiObject' in made ? made.openapiObject : {}
      api.finish?.(document)
      return document
    },
  })
  app.get(`${prefix}/openapi.json`, { schema: { hide: true } }, () => app.swagger())
  await app.register(scalar, {
    routePrefix: prefix === '' ? '/docs' : `${prefix}/docs`,
    hooks: {
      onRequest(_request, reply, done) {
        reply.header('Content-Security-Policy', contentPolicy(baseUrl))
        done()
      },
    },
    configuration: {
      pageTitle: api.title,
      url: `${prefix}/openapi.json`,
      localization: { locale: 'ru' },
      modelsSectionLabel: 'Структуры данных',
      authentication: { preferredSecurityScheme: api.preferredSecurity },
      documentDownloadType: 'json',
      orderSchemaPropertiesBy: 'preserve',
      orderRequiredPropertiesFirst: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      telemetry: false,
      withDefaultFonts: false,
      customCss: pageStyle,
    },
  })
}

/** The page asks nobody but this service, whatever its script would like: the browser sees to it. */
function contentPolicy(baseUrl: string): string {
  return [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Without the link to the maker of the page. */
const pageStyle =
  'a[href^="https://www.scalar.com"], a[href^="https://scalar.com"] { display: none }'
