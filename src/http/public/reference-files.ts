import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { serveFixedAnswers } from '../server/fixed-answers.ts'

/** The pictures of the account in docs/pictures, which `node scripts/screenshots.ts` makes from a sandbox. */
export const pictures = {
  overview: 'Обзор: что ждёт продавца и путь товаров за месяц',
  stock: 'Остатки',
  receipt: 'Приёмка с расхождением',
  metrics: 'Показатели, тёмная тема',
  sandbox: 'Песочница',
} as const
export type PictureName = keyof typeof pictures

/** Serves each at /docs/pictures: in the text of the reference they would cost every reader. */
export async function addPictures(app: FastifyInstance): Promise<void> {
  await app.register(async (part) => {
    serveFixedAnswers(part)
    for (const name of Object.keys(pictures)) {
      const file = `/docs/pictures/${name}.png`
      const bytes = readFileSync(new URL(`../../..${file}`, import.meta.url))
      part.get(file, { schema: { hide: true } }, (_request, reply) =>
        reply.type('image/png').send(bytes),
      )
    }
  })
}

/** A picture in the text of the reference. The page may have another address than BASE_URL, and shows pictures of its own only. */
export function picture(name: PictureName): string {
  return `![${pictures[name]}](/docs/pictures/${name}.png)`
}

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
