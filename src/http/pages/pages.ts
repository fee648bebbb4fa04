import type { FastifyInstance } from 'fastify'
import { serveFixedAnswers } from '../server/fixed-answers.ts'
import { missingRoute } from '../server/server.ts'
import type { EntryFiles, WebFiles } from './bundle.ts'
import { pageHeadersOf } from './policy.ts'
import { type FirstNeeds, firstNeeds, type SurfaceName, surfaces } from './surfaces.ts'

/**
 * The web pages and the files that they load. A page is the same for everybody: it holds no data and asks the APIs
 * for them. Every path of a surface answers with its page, whose script shows what the path names.
 */
export function addWeb(server: FastifyInstance, web: () => Promise<WebFiles>): void {
  server.register(async (part) => addPages(part, web))
  server.register(async (part) => addFiles(part, web))
  server.register(async (part) => addWorker(part, web))
  server.register(async (part) => addIcon(part))
}

/** A box on a shelf. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5fbf"/>' +
  '<path d="M7 11.5 16 7l9 4.5v9L16 25l-9-4.5zM7 11.5l9 4.5 9-4.5M16 16v9" fill="none" stroke="#fff" ' +
  'stroke-width="2" stroke-linejoin="round"/></svg>'

/** Browsers ask for it at this path on pages that name none, too. */
function addIcon(part: FastifyInstance): void {
  serveFixedAnswers(part)
  part.get('/favicon.ico', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('Cache-Control', 'public, max-age=86400').type('image/svg+xml')
    return icon
  })
}

/** Surfaces on which a person chooses the theme: all but the screen on a wall, where nobody presses anything. */
const hasThemes: readonly SurfaceName[] = ['console', 'account', 'handheld', 'kiosk', 'front']

function addPages(part: FastifyInstance, web: () => Promise<WebFiles>): void {
  serveFixedAnswers(part)
  for (const name of Object.keys(surfaces) as SurfaceName[]) {
    const { paths, title } = surfaces[name]
    for (const path of paths) {
      part.get(path, { schema: { hide: true } }, async (_request, reply) => {
        const { entries, theme } = await web()
        reply.headers(pageHeadersOf(name))
        reply.type('text/html; charset=utf-8')
        const first = hasThemes.includes(name) ? [theme] : []
        return pageOf(title, entries[name], { ...firstNeeds[path], first })
      })
    }
  }
}

function addFiles(part: FastifyInstance, web: () => Promise<WebFiles>): void {
  // Only files that exist are answered with 200.
  serveFixedAnswers(part, ({ params }) => (params as { '*': string })['*'])
  part.get<{ Params: { '*': string } }>(
    '/assets/*',
    { schema: { hide: true } },
    async (request, reply) => {
      const file = (await web()).files.get(request.params['*'])
      if (file === undefined) throw missingRoute(request.url)
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').type(file.type)
      return file.bytes
    },
  )
}

/** At a path that stays the same: browsers compare it with the worker that they have. */
function addWorker(part: FastifyInstance, web: () => Promise<WebFiles>): void {
  serveFixedAnswers(part)
  part.get('/staff/scan/worker.js', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('Service-Worker-Allowed', '/staff/scan').type('text/javascript; charset=utf-8')
    return (await web()).worker
  })
}

function pageOf(
  title: string,
  { script, style, modules, later }: EntryFiles,
  { source = '', calls = [], first }: Partial<FirstNeeds> & { readonly first: readonly string[] },
): string {
  const files = [...modules, ...(later[source] ?? [])]
  const preloads = [
    // With `crossorigin` it equals the call that the script makes, so the browser asks once.
    ...calls.map((path) => `<link rel="preload" as="fetch" crossorigin href="${path}">`),
    ...files.map((name) => `<link rel="modulepreload" href="/assets/${name}">`),
  ]
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/assets/${style}">
${first.map((file) => `<script src="/assets/${file}"></script>`).join('\n')}
${preloads.join('\n')}
<script type="module" src="/assets/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>Включите JavaScript: без него страница не работает.</noscript>
</body>
</html>
`
}
