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
