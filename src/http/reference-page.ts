import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { type DescribedDocument, withFirstLooks } from './first-look.ts'
import { serveFixedTexts } from './fixed-texts.ts'

export interface ReferencePage {
  readonly baseUrl: string
  readonly title: string
  /** The path above `openapi.json` and `docs`. */
  readonly prefix: '' | `/${string}`
  readonly preferredSecurity: string
  /** The OpenAPI document. */
  readonly document: () => object
}

/** Changes with the script: browsers keep the script of one version for ever. */
const scriptVersion = hash(
  'sha256',
  readFileSync(new URL(import.meta.resolve('@scalar/fastify-api-reference'))),
  'hex',
).slice(0, 12)
const script = `js/scalar.js?v=${scriptVersion}`

/** Serves the OpenAPI document and the page that shows it, compressed. */
export async function addReferencePage(app: FastifyInstance, page: ReferencePage): Promise<void> {
  await app.register(async (part) => {
    addFirstLooks(part, page)
    serveFixedTexts(part)
    addDocument(part, page)
    await addPage(part, page)
  })
}

/** The page that leaves is made once: the document stays the same while the process runs. */
function addFirstLooks(part: FastifyInstance, { prefix, document }: ReferencePage): void {
  let page: string | undefined
  part.addHook('onSend', async (request, reply, payload: unknown) => {
    const isPage = request.routeOptions.url === `${prefix}/docs/` && reply.statusCode === 200
    if (!isPage || typeof payload !== 'string') return payload
    page ??= withFirstLooks(payload, document() as DescribedDocument)
    return page
  })
}

function addDocument(part: FastifyInstance, { prefix, document }: ReferencePage): void {
  let text: string | undefined
  part.get(`${prefix}/openapi.json`, { schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(document())
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

async function addPage(part: FastifyInstance, page: ReferencePage): Promise<void> {
  const { baseUrl, prefix } = page
  await part.register(scalar, {
    routePrefix: `${prefix}/docs`,
    hooks: {
      onRequest({ query }, reply, done) {
        reply.header('Content-Security-Policy', contentPolicy(baseUrl))
        // The browser asks for both before it has read the page and run the script.
        reply.header(
          'Link',
          `<${prefix}/docs/${script}>; rel=preload; as=script, ` +
            `<${prefix}/openapi.json>; rel=preload; as=fetch; crossorigin`,
        )
        if ((query as { v?: unknown }).v === scriptVersion) {
          reply.header('Cache-Control', 'public, max-age=31536000, immutable')
        }
        done()
      },
    },
    configuration: {
      cdn: script,
      pageTitle: page.title,
      url: `${prefix}/openapi.json`,
      localization: { locale: 'ru' },
      modelsSectionLabel: 'Структуры данных',
      authentication: { preferredSecurityScheme: page.preferredSecurity },
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

/** The browser lets the page connect to this service alone. */
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

/** Hides the link to the makers of the page. */
const pageStyle =
  'a[href^="https://www.scalar.com"], a[href^="https://scalar.com"] { display: none }'
