import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { named } from '../../../platform/kernel/schema.ts'
import { findPicture, picturesOf } from '../../../warehouse/catalogue/pictures.ts'
import { pictureAnswers, sendPicture } from '../../files/picture-answer.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'
import { askedBarcodes, askedGoodsQuery } from './names.ts'

/** Pictures of the client's goods: beside the public objects, which have no field for them. */

export const GoodsPictures = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        barcode: Type.String({ description: 'Штрихкод товара.' }),
        picture: Type.String({ description: 'Адрес его картинки.' }),
      }),
      { description: 'Товары, у которых есть картинка.' },
    ),
  },
  { $id: 'GoodsPictures', description: 'Картинки товаров.' },
)

export function addAccountPictures(app: FastifyInstance, { db }: AccountDependencies): void {
  const listSchema = accountOperation({
    id: 'listAccountPictures',
    tag: 'Остатки',
    summary: 'Картинки товаров',
    description:
      'Адреса картинок названных товаров. Картинки приходят с карточек маркетплейсов или загружены складом.',
    query: askedGoodsQuery,
    answers: { 200: { description: 'Картинки.', schema: named(GoodsPictures) } },
    errors: ['bad_request'],
  })
  app.get('/pictures', { schema: listSchema }, async (request) => {
    const { clientId } = visitorOn(request)
    const named = askedBarcodes(request)
    const pictureOf = await picturesOf(
      db,
      named.map((barcode) => ({ clientId, barcode })),
    )
    const items = named.flatMap((barcode) => {
      const hash = pictureOf({ clientId, barcode })
      return hash === undefined ? [] : [{ barcode, picture: `/account/v1/pictures/${hash}` }]
    })
    return { items }
  })

  const pictureSchema = accountOperation({
    id: 'getAccountPicture',
    tag: 'Остатки',
    summary: 'Одна картинка',
    description:
      'По адресу из списка картинок; браузер хранит её год. В предел запросов не входит.',
    params: { hash: 'SHA-256 картинки.' },
    answers: pictureAnswers,
    errors: ['not_found'],
  })
  app.get<{ Params: { hash: string } }>(
    '/pictures/:hash',
    { schema: pictureSchema, config: { uncounted: true } },
    async (request, reply) => {
      const { hash } = request.params
      const { clientId } = visitorOn(request)
      return sendPicture(request, reply, hash, () => findPicture(db, clientId, hash))
    },
  )
}
