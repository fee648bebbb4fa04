import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { type PictureBytes, readPicture } from '../../../../warehouse/catalogue/picture-bytes.ts'
import {
  findPicture,
  pictureRule,
  uploadedPicture,
  uploadPicture,
} from '../../../../warehouse/catalogue/pictures.ts'
import { Product } from '../../../../warehouse/catalogue/products.ts'
import { pictureAnswers, pictureMedia, sendPicture } from '../../../files/picture-answer.ts'
import { bytesOf } from '../../../route/body.ts'
import { change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'
import { type ProductParams, productInPath, productParams } from './product-params.ts'
import { wholeProduct } from './products.ts'

const config = { role: 'manager' } as const

export function addProductPictures(app: FastifyInstance, dependencies: StaffDependencies): void {
  addPictureRead(app, dependencies)
  addPictureUpload(app, dependencies)
  addPictureRemoval(app, dependencies)
}

function addPictureRead(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getPicture',
    tag: 'Клиенты',
    summary: 'Картинка товара',
    description:
      'Адрес с контрольной суммой стоит в поле `picture` товаров. По нему всегда одна и та же картинка; браузер хранит её год.',
    params: { id: productParams.id, hash: 'SHA-256 картинки.' },
    answers: pictureAnswers,
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string; hash: string } }>(
    '/clients/:id/pictures/:hash',
    { schema },
    async (request, reply) => {
      const { id, hash } = request.params
      const client = await clientInPath(db, id)
      return sendPicture(request, reply, hash, () => findPicture(db, client, hash))
    },
  )
}

function addPictureUpload(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'putProductPicture',
    tag: 'Клиенты',
    summary: 'Загрузить картинку товара',
    description:
      'JPEG, PNG или WebP до 2 МБ телом запроса. Она важнее картинки с карточки маркетплейса. Сведения о камере и месте ' +
      'съёмки сервис вырезает.',
    params: productParams,
    media: pictureMedia,
    answers: { 200: { description: 'Товар с этой картинкой.', schema: named(Product) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.put<ProductParams>(
    '/clients/:id/products/:barcode/picture',
    { schema, config },
    async (request) =>
      changePicture(dependencies, request, () => {
        const picture = readPicture(bytesOf(request))
        if (picture === undefined) throw invalidField('picture', pictureRule)
        return picture
      }),
  )
}

function addPictureRemoval(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'deleteProductPicture',
    tag: 'Клиенты',
    summary: 'Убрать загруженную картинку',
    description: 'Вместо неё снова показывается картинка с карточки маркетплейса, если она есть.',
    params: productParams,
    answers: { 200: { description: 'Товар без неё.', schema: named(Product) } },
    errors: ['not_found'],
  })
  app.delete<ProductParams>(
    '/clients/:id/products/:barcode/picture',
    { schema, config },
    async (request) => changePicture(dependencies, request, () => undefined),
  )
}

async function changePicture(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  pictureOf: () => PictureBytes | undefined,
): Promise<Product> {
  const { id, barcode: given } = request.params as ProductParams['Params']
  const clientId = await clientInPath(dependencies.db, id)
  const { barcode } = await productInPath(dependencies.db, clientId, given)
  const goods = { clientId, barcode }
  const subject = {
    clientId,
    objectId: barcode,
    look: async (work: { tx: Parameters<typeof uploadedPicture>[0] }) => ({
      picture: (await uploadedPicture(work.tx, goods)) ?? null,
    }),
  }
  return change(dependencies, request, subject, async (work) => {
    const product = await productInPath(work.tx, clientId, barcode)
    const changed = await uploadPicture(work, { clientId, barcode: product.barcode }, pictureOf())
    return { answer: await wholeProduct(work.tx, product), changed }
  })
}
