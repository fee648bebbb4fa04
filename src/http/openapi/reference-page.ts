import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { describeOnly } from '../server/describe-only.ts'
import { serveFixedAnswers } from '../server/fixed-answers.ts'
import { type DescribedDocument, withFirstLooks } from './first-look.ts'

export interface ReferencePage {
  readonly baseUrl: string
  readonly title: string
  /** The path above `openapi.json` and `docs`. */
  readonly prefix: '' | `/${string}`
  readonly preferredSecurity: string
  /** The OpenAPI document, as JSON. */
  readonly document: () => Promise<string>
}

/** Changes with the script: browsers keep the script of one version for ever. */
const scriptVersion = hash(
  'sha256',
  readFileSync(new URL(import.meta.resolve('@scalar/fastify-api-reference'))),
  'hex',
).slice(0, 12)
const scriptPath = 'js/scalar.js'
const script = `${scriptPath}?v=${scriptVersion}`
/** The same for every reference. */
let scriptText: string | undefined

/** Serves the OpenAPI document and the page that shows it, compressed. */
export async function addReferencePage(app: FastifyInstance, page: ReferencePage): Promise<void> {
  await app.register(async (part) => {
    serveFixedAnswers(part)
    addDocument(part, page)
    addPage(part, page)
  })
}

function addDocument(part: FastifyInstance, { prefix, document }: ReferencePage): void {
  part.get(`${prefix}/openapi.json`, { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await document()),
  )
}

/** The page and its script are made at the first visit: what makes them takes forty megabytes of memory. */
function addPage(part: FastifyInstance, page: ReferencePage): void {
  const { baseUrl, prefix, document } = page
  const options = {
    schema: { hide: true },
    onRequest: async ({ query }: FastifyRequest, reply: FastifyReply) => {
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
    },
  }
  let shown: string | undefined
  part.get(`${prefix}/docs`, options, (_request, reply) => reply.redirect(`${prefix}/docs/`, 301))
  part.get(`${prefix}/docs/`, options, async (_request, reply) => {
    // The document stays the same while the process runs.
    shown ??= withFirstLooks(
      await render(page, ''),
      JSON.parse(await document()) as DescribedDocument,
    )
    return reply.type('text/html; charset=utf-8').send(shown)
  })
  part.get(`${prefix}/docs/${scriptPath}`, options, async (_request, reply) => {
    scriptText ??= await render(page, scriptPath)
    return reply.type('application/javascript; charset=utf-8').send(scriptText)
  })
}

/** What the library serves at a path below its own, from a server that nobody else reaches. */
async function render(
  { prefix, title, preferredSecurity }: ReferencePage,
  path: string,
): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const renderer = Fastify({ schemaController: describeOnly })
  await renderer.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      cdn: script,
      pageTitle: title,
      url: `${prefix}/openapi.json`,
      localization: { locale: 'ru' },
      modelsSectionLabel: 'Структуры данных',
      authentication: { preferredSecurityScheme: preferredSecurity },
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
  const { body } = await renderer.inject(`/docs/${path}`)
  await renderer.close()
  return body
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
