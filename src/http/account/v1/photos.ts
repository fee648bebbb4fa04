import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { isId } from '../../../platform/kernel/ids.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { findOrder } from '../../../warehouse/orders/queries.ts'
import type { PhotoKind, PhotoSubject } from '../../../warehouse/photos/kinds.ts'
import { findPhoto, hasPhotoObject, photosOf } from '../../../warehouse/photos/photos.ts'
import { AccountPhoto, accountPhotoView } from '../../../warehouse/photos/view.ts'
import { evidenceAnswer, evidencePdf } from '../../files/evidence-answer.ts'
import { drawingMessages } from '../../files/paper-answer.ts'
import { jpegOf } from '../../files/photo-bytes.ts'
import { pictureAnswers, sendPicture } from '../../files/picture-answer.ts'
import { found } from '../../route/list.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** Photos that the warehouse has made of what is the client's: beside the public objects, which have no field for them. */

const AccountPhotos = Type.Object(
  {
    items: Type.Array(named<AccountPhoto>(AccountPhoto), { description: 'Фото, старые первыми.' }),
  },
  { $id: 'AccountPhotos', description: 'Фото объекта.' },
)

const places = [
  {
    id: 'listAccountReceiptPhotos',
    kind: 'receipt',
    path: '/receipts',
    of: 'приёмки',
  },
  {
    id: 'listAccountReturnPhotos',
    kind: 'return',
    path: '/returns',
    of: 'возврата',
  },
  { id: 'listAccountOrderPhotos', kind: 'order', path: '/orders', of: 'заказа' },
] as const

type Place = (typeof places)[number]

/** Of counts and entries of the ledger a seller sees no object, so no photos either. */
const shownKinds: readonly PhotoKind[] = places.map(({ kind }) => kind)

export function addAccountPhotos(app: FastifyInstance, dependencies: AccountDependencies): void {
  for (const place of places) addAccountPhotoList(app, dependencies, place)
  addAccountPhoto(app, dependencies)
  addAccountEvidence(app, dependencies)
}

function addAccountPhotoList(
  app: FastifyInstance,
  { db }: AccountDependencies,
  { id, kind, path, of }: Place,
): void {
  const schema = accountOperation({
    id,
    tag: 'Приёмки',
    summary: `Фото ${of}`,
    description: 'Что снял склад; кто снимал, не показывается.',
    params: { id: 'Идентификатор.' },
    answers: { 200: { description: 'Фото.', schema: named(AccountPhotos) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string } }>(`${path}/:id/photos`, { schema }, async (request) => {
    const { clientId } = visitorOn(request)
    const subject = { clientId, kind, objectId: request.params.id }
    found((await sees(db, subject)) ? subject : undefined)
    return { items: (await photosOf(db, subject)).map(accountPhotoView) }
  })
}

/** Of orders of observed cabinets sellers see nothing. */
async function sees(db: AccountDependencies['db'], subject: PhotoSubject): Promise<boolean> {
  const { clientId, kind, objectId } = subject
  if (!isId(objectId)) return false
  if (kind !== 'order') return hasPhotoObject(db, subject)
  return (await findOrder(db, clientId, objectId)) !== undefined
}

function addAccountPhoto(app: FastifyInstance, { db, photoStore }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'getAccountPhoto',
    tag: 'Приёмки',
    summary: 'Снимок',
    description: 'По адресу из списка фото; браузер хранит его год. В предел запросов не входит.',
    params: { photo: 'Номер фото.' },
    answers: pictureAnswers,
    errors: ['not_found'],
  })
  app.get<{ Params: { photo: string } }>(
    '/photos/:photo',
    { schema, config: { uncounted: true } },
    async (request, reply) => {
      const { photo } = request.params
      const { clientId } = visitorOn(request)
      const row = isId(photo) ? await findPhoto(db, clientId, photo) : undefined
      const shown = found(row && shownKinds.includes(row.kind) ? row : undefined)
      return sendPicture(request, reply, shown.hash, () => jpegOf(photoStore, clientId, shown))
    },
  )
}

function addAccountEvidence(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, clock, photoStore } = dependencies
  const schema = accountOperation({
    id: 'getAccountOrderEvidence',
    tag: 'Приёмки',
    summary: 'Файл для спора о заказе',
    description:
      'PDF: заказ, его сканы с временем, ролью человека и маркировкой, статусы, фото заказа и его возврата.',
    params: { id: 'Идентификатор заказа.' },
    answers: { 200: evidenceAnswer },
    errors: ['not_found'],
    messages: drawingMessages,
  })
  app.get<{ Params: { id: string } }>(
    '/orders/:id/evidence',
    { schema },
    async (request, reply) => {
      const { clientId } = visitorOn(request)
      const orderId = request.params.id
      found((await sees(db, { clientId, kind: 'order', objectId: orderId })) ? orderId : undefined)
      const file = await evidencePdf({ db, photoStore }, { clientId, orderId }, clock.now())
      return reply.type('application/pdf').send(file)
    },
  )
}
