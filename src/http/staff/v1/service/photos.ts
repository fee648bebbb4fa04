import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Turns } from '../../../../platform/concurrency/turns.ts'
import { invalidField, invalidParameter, ServiceError } from '../../../../platform/kernel/errors.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import { cleanJpeg, photoSideMax } from '../../../../platform/kernel/pictures/jpeg.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { subjectOfReturnScan } from '../../../../warehouse/photos/exception-photos.ts'
import type { PhotoSubject } from '../../../../warehouse/photos/kinds.ts'
import {
  addPhoto,
  findPhoto,
  type NewPhoto,
  photosOf,
  removePhoto,
} from '../../../../warehouse/photos/photos.ts'
import { StaffPhoto, staffPhotoView } from '../../../../warehouse/photos/view.ts'
import { jpegOf } from '../../../files/photo-bytes.ts'
import { pictureAnswers, sendPicture } from '../../../files/picture-answer.ts'
import { bytesOf } from '../../../route/body.ts'
import { found, rawQuery } from '../../../route/list.ts'
import { query, text, time } from '../../../route/query.ts'
import { change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { ownScope } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'
import { type PhotoPlace, photoPlaces } from './photo-places.ts'

/** Photos as evidence: a handheld sends them behind its scans, and managers remove what should not be there. */

export const StaffPhotos = Type.Object(
  { items: Type.Array(named<StaffPhoto>(StaffPhoto), { description: 'Фото, старые первыми.' }) },
  { $id: 'StaffPhotos', description: 'Фото объекта.' },
)

const photoId = 'Номер фото: его даёт тот, кто снял, UUID.'
const media = { 'image/jpeg': Type.String({ format: 'binary' }) }

const photoQuery = query({
  taken_at: time({ description: 'Когда снято, по часам терминала; без него — сейчас.' }),
  scan_id: text({ description: 'Скан единицы, которая на фото.' }),
})

/** Bodies that one process holds at once: each has two megabytes at most, and a device sends its photos one by one. */
const bodiesAtOnceMax = 8
const repeatAfterSeconds = 2
/** Photos that are written at once: more would only delay the commits of scans. */
const writtenAtOnceMax = 2
const patienceMs = 10_000

export function addPhotos(app: FastifyInstance, dependencies: StaffDependencies): void {
  const reception = openReception()
  for (const place of photoPlaces) {
    addPhotoList(app, dependencies, place)
    addPhotoUpload(app, dependencies, { ...place, reception })
    addPhotoRemoval(app, dependencies, place)
  }
  addReturnScanPhoto(app, dependencies, reception)
  addPhotoRead(app, dependencies)
}

function addPhotoList(app: FastifyInstance, { db }: StaffDependencies, place: PhotoPlace): void {
  const schema = staffOperation({
    id: `list${place.name}Photos`,
    tag: place.tag,
    summary: `Фото ${place.of}`,
    description: 'Все сразу: их немного.',
    params: place.params,
    answers: { 200: { description: 'Фото.', schema: named(StaffPhotos) } },
    errors: ['not_found'],
  })
  app.get(`${place.path}/photos`, { schema }, async (request) => {
    const subject = await place.subjectOf(db, request)
    const rows = await photosOf(db, subject)
    return { items: rows.map((row) => staffPhotoView(row, subject.clientId)) }
  })
}

const uploading = {
  description:
    'JPEG до 2 МБ телом запроса. Сведения о камере и месте съёмки (EXIF и прочее) сервис вырезает. Повтор ' +
    'с тем же номером или тем же снимком ничего не меняет.',
  query: photoQuery,
  media,
  answers: { 200: { description: 'Фото приложено.', schema: named(StaffPhoto) } },
  errors: ['bad_request', 'validation_error', 'not_found', 'conflict', 'rate_limited'],
} as const

type Reception = ReturnType<typeof openReception>

function addPhotoUpload(
  app: FastifyInstance,
  dependencies: StaffDependencies,
  { reception, ...place }: PhotoPlace & { readonly reception: Reception },
): void {
  const schema = staffOperation({
    ...uploading,
    id: `put${place.name}Photo`,
    tag: place.tag,
    summary: `Приложить фото ${place.of}`,
    params: { ...place.params, photo: photoId },
  })
  app.put(
    `${place.path}/photos/:photo`,
    { schema, onRequest: reception.holdBody },
    async (request) =>
      attach(dependencies, reception, request, await place.subjectOf(dependencies.db, request)),
  )
}

function addReturnScanPhoto(
  app: FastifyInstance,
  dependencies: StaffDependencies,
  reception: Reception,
): void {
  const schema = staffOperation({
    ...uploading,
    id: 'putReturnScanPhoto',
    tag: 'Возвраты',
    summary: 'Приложить фото единицы, которая вернулась',
    description: `По scan_id скана POST /returns/scans: в какой приём он попал, находит сервис. Если скан из очереди стал исключением, фото ждёт решения с ним, а принятое исключение отдаёт фото приёму. ${uploading.description}`,
    params: { photo: photoId },
  })
  app.put(
    '/returns/scans/photos/:photo',
    { schema, onRequest: reception.holdBody },
    async (request) => {
      const { scan_id: scan = '' } = photoQuery.parse(rawQuery(request))
      const { warehouses } = ownScope(request)
      const subject = await subjectOfReturnScan(dependencies.db, scan, warehouses)
      return attach(dependencies, reception, request, subject)
    },
  )
}

/** Photos of a client are written one after the other, as its lock wants it: what waits for that holds no connection. */
async function attach(
  dependencies: StaffDependencies,
  { turns }: Reception,
  request: FastifyRequest,
  subject: PhotoSubject,
): Promise<StaffPhoto> {
  const { clientId, objectId } = subject
  return turns.run(clientId, async () => {
    const given = photoIn(request)
    return change(dependencies, request, { clientId, objectId }, async (work) => {
      const { photo, isNew } = await addPhoto(work, subject, given)
      const made = { after: { photo: photo.id, taken_at: photo.taken_at } }
      return { answer: staffPhotoView(photo, clientId), made, changed: isNew }
    })
  })
}

function photoIn(request: FastifyRequest): NewPhoto {
  const { photo: id } = request.params as { readonly photo: string }
  if (!isId(id)) throw invalidParameter('photo', 'UUID строчными буквами')
  const { taken_at: takenAt, scan_id: scanId } = photoQuery.parse(rawQuery(request))
  if (scanId !== undefined && !(scanId.length > 0 && scanId.length <= scanIdMax)) {
    throw invalidParameter('scan_id', `от 1 до ${scanIdMax} знаков`)
  }
  const bytes = cleanJpeg(bytesOf(request))
  if (bytes === undefined) throw invalidField('photo', photoRule)
  return { id, scanId, takenAt, bytes }
}

const scanIdMax = 200
const photoRule = `целый снимок JPEG до 2 МБ и до ${photoSideMax} точек по стороне`

function addPhotoRemoval(
  app: FastifyInstance,
  dependencies: StaffDependencies,
  place: PhotoPlace,
): void {
  const schema = staffOperation({
    id: `remove${place.name}Photo`,
    tag: place.tag,
    summary: `Убрать фото ${place.of}`,
    description: 'Насовсем; кто и когда убрал, остаётся в журнале.',
    params: { ...place.params, photo: photoId },
    answers: { 204: { description: 'Фото убрано.' } },
    errors: ['not_found'],
  })
  app.delete<{ Params: { photo: string } }>(
    `${place.path}/photos/:photo`,
    { schema, config: { role: 'manager' } },
    async (request, reply) => {
      const { photo } = request.params
      const subject = await place.subjectOf(dependencies.db, request)
      const { clientId, objectId } = subject
      const look = async () => ({ photo })
      await change(dependencies, request, { clientId, objectId, look }, async (work) => {
        const hash = isId(photo) ? await removePhoto(work, subject, photo) : undefined
        found(hash)
        return { answer: undefined, made: { after: { photo: null } } }
      })
      return reply.code(204).send()
    },
  )
}

function addPhotoRead(app: FastifyInstance, { db, photoStore }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getPhoto',
    tag: 'Клиенты',
    summary: 'Снимок',
    description: 'По адресу из списка фото; браузер хранит его год.',
    params: { id: 'Идентификатор клиента.', photo: photoId },
    answers: pictureAnswers,
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string; photo: string } }>(
    '/clients/:id/photos/:photo',
    { schema },
    async (request, reply) => {
      const { id, photo } = request.params
      const clientId = await clientInPath(db, id)
      const kept = found(isId(photo) ? await findPhoto(db, clientId, photo) : undefined)
      return sendPicture(request, reply, kept.hash, () => jpegOf(photoStore, clientId, kept))
    },
  )
}

/** Refuses a body before it is read where too many are being read or wait to be written: a handheld comes again by itself. */
function openReception() {
  const refusal = () =>
    new ServiceError('unavailable', 'Сейчас принимаются другие фото: повторите позже', {
      retryAfterSeconds: repeatAfterSeconds,
    })
  const waitingMax = bodiesAtOnceMax
  const turns = new Turns({ atOnceMax: writtenAtOnceMax, waitingMax, patienceMs, refusal })
  let held = 0
  const holdBody = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (held >= bodiesAtOnceMax) throw refusal()
    held += 1
    reply.raw.once('close', () => {
      held -= 1
    })
  }
  return { holdBody, turns }
}
