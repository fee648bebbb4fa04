import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { isId } from '../../../platform/kernel/ids.ts'
import { named } from '../../../platform/kernel/schema.ts'
import type { PhotoKind } from '../../../warehouse/photos/kinds.ts'
import { findPhoto, hasPhotoObject, photosOf } from '../../../warehouse/photos/photos.ts'
import { AccountPhoto, accountPhotoView } from '../../../warehouse/photos/view.ts'
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
    found(isId(subject.objectId) && (await hasPhotoObject(db, subject)) ? subject : undefined)
    return { items: (await photosOf(db, subject)).map(accountPhotoView) }
  })
}

function addAccountPhoto(app: FastifyInstance, { db }: AccountDependencies): void {
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
      const { hash, bytes } = found(row && shownKinds.includes(row.kind) ? row : undefined)
      return sendPicture(request, reply, hash, async () => ({ type: 'image/jpeg', bytes }))
    },
  )
}
