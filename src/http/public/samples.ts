import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { serveFixedAnswers } from '../server/fixed-answers.ts'

/** The files of docs/samples; tests run those whose language the machine has. */
export const samples = [
  { title: 'Приёмник вебхуков, TypeScript', file: 'receiver.ts' },
  { title: 'Приёмник вебхуков, Python', file: 'receiver.py' },
  { title: 'Приёмник вебхуков, PHP', file: 'receiver.php' },
  { title: 'Чтение ленты, Python', file: 'feed.py' },
  { title: 'Чтение ленты, PHP', file: 'feed.php' },
  { title: 'Заявка на приёмку, остатки и лента, 1С', file: 'feed.bsl' },
] as const

/** Serves each at /docs/samples. In the page of the reference they would cost every reader half a second. */
export async function addSamples(app: FastifyInstance): Promise<void> {
  await app.register(async (part) => {
    serveFixedAnswers(part)
    for (const { file } of samples) {
      const text = readFileSync(new URL(`../../../docs/samples/${file}`, import.meta.url), 'utf8')
      part.get(`/docs/samples/${file}`, { schema: { hide: true } }, (_request, reply) =>
        reply.type('text/plain; charset=utf-8').send(text),
      )
    }
  })
}
