import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Unsubscribing, unsubscribePath } from '../../exchange/notices/unsubscribe.ts'
import type { Database } from '../../platform/db/connection.ts'
import { perform } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { rawQuery } from '../route/list.ts'
import { query, text } from '../route/query.ts'

export interface UnsubscribeParts {
  readonly db: Database
  readonly clock: Clock
  readonly unsubscribing: Unsubscribing
}

const tokenQuery = query({ token: text({ description: 'Из письма.' }) })
const policy = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * The page that ends letters. Looking at it changes nothing, since mail servers follow links to examine them: its button
 * does, and so does a mail program that posts to it in one click (RFC 8058). Neither asks who it is.
 */
export function addUnsubscribe(server: FastifyInstance, parts: UnsubscribeParts): void {
  const schema = { hide: true }
  server.get(unsubscribePath, { schema }, async (_request, reply) =>
    answer(
      reply,
      '<h1>Не присылать писем?</h1><form method="post"><button>Не присылать</button></form>',
    ),
  )
  server.post(unsubscribePath, { schema }, async (request, reply) => {
    const { db, clock, unsubscribing } = parts
    const { token = '' } = tokenQuery.parse(rawQuery(request))
    const isEnded = await perform(db, clock, { kind: 'service' }, (work) =>
      unsubscribing.end(work, token),
    )
    if (isEnded) return answer(reply, '<h1>Писем больше не будет</h1>')
    return answer(
      reply.code(404),
      '<h1>Ссылка не подошла</h1><p>Откройте её из письма целиком.</p>',
    )
  })
}

function answer(reply: FastifyReply, content: string): FastifyReply {
  return reply
    .header('Content-Security-Policy', policy)
    .header('Referrer-Policy', 'no-referrer')
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><html lang="ru"><head><meta charset="utf-8">' +
        '<meta name="viewport" content="width=device-width"><title>Письма Sklad</title></head>' +
        `<body>${content}</body></html>`,
    )
}
