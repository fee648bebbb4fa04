import type { FastifyInstance } from 'fastify'
import { type MarkdownDocument, type MarkdownPage, markdownPages } from '../openapi/markdown.ts'
import { serveFixedAnswers } from '../server/fixed-answers.ts'
import { asyncApiOf } from './asyncapi.ts'

/**
 * What programs and language models read instead of the page: `/llms.txt` (llmstxt.org) lists `/docs/guide.md` and a
 * Markdown page for each operation and event; `/docs/asyncapi.json` has the events; `/.well-known/api-catalog` (RFC
 * 9727) leads to all of them. Everything is made from the OpenAPI document at the first request.
 */
export async function addMachinePages(
  app: FastifyInstance,
  baseUrl: string,
  document: () => Promise<string>,
): Promise<void> {
  const fixed = new Map<string, Promise<string>>()
  const once = (name: string, make: () => Promise<string>) => {
    const made = fixed.get(name) ?? make()
    fixed.set(name, made)
    return made
  }
  const read = async () => JSON.parse(await document()) as MarkdownDocument
  await app.register(async (part) => {
    serveFixedAnswers(part, ({ originalUrl }) => originalUrl.split('?', 1)[0] ?? '')
    const options = { schema: { hide: true } }
    part.get('/llms.txt', options, async (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(await once('llms.txt', async () => llmsText(await read(), baseUrl))),
    )
    part.get('/docs/asyncapi.json', options, async (_request, reply) => {
      const text = once('asyncapi', async () =>
        JSON.stringify(asyncApiOf(JSON.parse(await document()), baseUrl)),
      )
      return reply.type('application/json; charset=utf-8').send(await text)
    })
    part.get<{ Params: { page: string } }>(
      '/docs/:page(^\\w+).md',
      options,
      async ({ params }, reply) => {
        const text = await once(params.page, async () => pageText(await read(), params.page))
        if (text !== '') return reply.type('text/markdown; charset=utf-8').send(text)
        fixed.delete(params.page)
        return reply.callNotFound()
      },
    )
    part.get('/.well-known/api-catalog', options, (_request, reply) =>
      reply
        .type('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
        .header('Link', `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`)
        .send(JSON.stringify(catalogOf(baseUrl))),
    )
  })
}

/** Empty where there is no such page. */
function pageText(document: MarkdownDocument, name: string): string {
  const { title, description } = document.info
  if (name === 'guide') return `# ${title}\n\n${description}\n`
  return markdownPages(document).find((page) => page.name === name)?.text ?? ''
}

function llmsText(document: MarkdownDocument, baseUrl: string): string {
  const pages = Map.groupBy(markdownPages(document), ({ tag }) => tag)
  const linkOf = ({ title, name, call }: MarkdownPage) =>
    `- [${title}](${baseUrl}/docs/${name}.md): \`${call}\``
  const sections = document.tags.map(({ name, description = '' }) =>
    [`## ${name}`, description, (pages.get(name) ?? []).map(linkOf).join('\n')].join('\n\n'),
  )
  return `${[
    `# ${document.info.title}`,
    '> Остатки, приёмки, отгрузки, заказы и показатели склада — для систем продавца на WB и OZON.',
    `Ключ для песочницы без регистрации: \`POST ${baseUrl}/v1/sandbox/keys\`.`,
    [
      '## С чего начать',
      [
        `- [Введение](${baseUrl}/docs/guide.md): ключи, списки, заявки, приём событий, ошибки`,
        `- [OpenAPI](${baseUrl}/openapi.json): все вызовы`,
        `- [AsyncAPI](${baseUrl}/docs/asyncapi.json): события`,
      ].join('\n'),
    ].join('\n\n'),
    ...sections,
  ].join('\n\n')}\n`
}

function catalogOf(baseUrl: string): object {
  return {
    linkset: [
      {
        anchor: `${baseUrl}/v1`,
        'service-desc': [
          { href: `${baseUrl}/openapi.json`, type: 'application/json' },
          { href: `${baseUrl}/docs/asyncapi.json`, type: 'application/json' },
        ],
        'service-doc': [
          { href: `${baseUrl}/docs/`, type: 'text/html', hreflang: ['ru'] },
          { href: `${baseUrl}/llms.txt`, type: 'text/plain', hreflang: ['ru'] },
        ],
      },
    ],
  }
}
