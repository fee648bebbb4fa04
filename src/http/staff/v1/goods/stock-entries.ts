import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import type { Queryable } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { named, oneOfValues, type Shown } from '../../../../platform/kernel/schema.ts'
import { meantByScans } from '../../../../warehouse/catalogue/other-barcodes.ts'
import { productOfScan } from '../../../../warehouse/catalogue/products.ts'
import {
  type Correction,
  correctStock,
  correctStockAt,
  putInQuestion,
  questionOutcomes,
  resolveQuestion,
  takeEntry,
  writeOff,
} from '../../../../warehouse/stock/adjustments.ts'
import { unknownProduct } from '../../../../warehouse/stock/balances.ts'
import { findStockItem } from '../../../../warehouse/stock/queries.ts'
import { type UnitPlace, unitsAtPlace } from '../../../../warehouse/storage/place-contents.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { type ClientParams, clientInPath, clientParams } from '../clients/clients.ts'
import { pickingPlaceOf } from '../picking/picking-place.ts'
import { config, StaffStockItem, staffItem } from './stock.ts'

const unitsMax = 1_000_000

const barcode = Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод товара.' })
const qty = Type.Integer({ minimum: 1, maximum: unitsMax, description: 'Сколько единиц.' })
const place = { minLength: 1, maxLength: 64 }
const reason = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Код причины из GET /reasons, kind correction.',
})
const optional = {
  comment: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Комментарий для журнала.' }),
  ),
  entry_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Ваш номер записи, один на клиента: такой же ещё раз ничего не меняет, и запрос можно ' +
        'безопасно повторять.',
    }),
  ),
}

export const CorrectionDraft = Type.Object(
  {
    barcode,
    delta: Type.Integer({
      minimum: -unitsMax,
      maximum: unitsMax,
      description: 'Сколько единиц прибавить (+) или убавить (−); не 0.',
    }),
    reason,
    location_id: Type.Optional(
      Type.String({
        ...place,
        description:
          'Место, на котором вне коробов единиц стало меньше или больше: id или код. Без него и без короба убавится ' +
          'сначала неразложенное, потом там, где товара меньше всего.',
      }),
    ),
    box_id: Type.Optional(
      Type.String({ ...place, description: 'Или короб, в котором это так: id или SSCC.' }),
    ),
    ...optional,
  },
  { $id: 'CorrectionDraft', additionalProperties: false, description: 'Корректировка.' },
)
export const WriteOffDraft = Type.Object(
  { barcode, qty, reason, ...optional },
  { $id: 'WriteOffDraft', additionalProperties: false, description: 'Списание.' },
)
export const QuestionDraft = Type.Object(
  { barcode, qty, reason, ...optional },
  { $id: 'QuestionDraft', additionalProperties: false, description: 'Единицы под вопросом.' },
)
export const ResolutionDraft = Type.Object(
  {
    barcode,
    qty,
    outcome: oneOfValues(
      questionOutcomes,
      'Чем кончилось: found — единицы снова свободны, written_off — списаны.',
    ),
    ...optional,
  },
  { $id: 'ResolutionDraft', additionalProperties: false, description: 'Итог расследования.' },
)

export function addStockEntries(app: FastifyInstance, dependencies: StaffDependencies): void {
  addCorrections(app, dependencies)
  addQuestions(app, dependencies)
}

function addCorrections(app: FastifyInstance, dependencies: StaffDependencies): void {
  const correctSchema = schemaOf(201, CorrectionDraft, {
    id: 'correctStock',
    summary: 'Скорректировать остаток',
    description: 'Запись в журнале движений; убавить можно только свободные единицы.',
  })
  app.post<ClientParams>(
    '/clients/:id/corrections',
    { schema: correctSchema, config },
    async (request, reply) => {
      const { entry_id, location_id, box_id, ...entry } = bodyOf(CorrectionDraft, request)
      const item = await enter(
        dependencies,
        request,
        { ...entry, entry_id },
        async (work, client) => {
          const { boxId, locationId } = await pickingPlaceOf(work.tx, client, box_id, location_id)
          if (boxId !== undefined) return correctAt(work, client, entry, { boxId })
          if (locationId !== undefined) return correctAt(work, client, entry, { locationId })
          await correctStock(work, client, entry)
          return undefined
        },
      )
      return reply.code(201).send(item)
    },
  )

  const writeOffSchema = schemaOf(201, WriteOffDraft, {
    id: 'writeOff',
    summary: 'Списать',
    description: 'Свободные единицы уходят со склада насовсем.',
  })
  app.post<ClientParams>(
    '/clients/:id/write-offs',
    { schema: writeOffSchema, config },
    async (request, reply) => {
      const { entry_id, qty: units, ...entry } = bodyOf(WriteOffDraft, request)
      const item = await enter(dependencies, request, { ...entry, entry_id }, (work, client) =>
        writeOff(work, client, { ...entry, units }),
      )
      return reply.code(201).send(item)
    },
  )
}

/** What an entry did at the place that it names, for the journal of the place. */
interface AtPlace {
  readonly objectId: string
  readonly named: object
  readonly before: object
  readonly after: object
}

type EntryVerb =
  | ((work: Work, clientId: string) => Promise<void>)
  | ((work: Work, clientId: string) => Promise<AtPlace | undefined>)

async function correctAt(
  work: Work,
  clientId: string,
  entry: Correction,
  place: UnitPlace,
): Promise<AtPlace> {
  await correctStockAt(work, clientId, entry, place)
  const barcode = await productOfScan(work.tx, clientId, entry.barcode)
  const units = await unitsAtPlace(work.tx, clientId, place, barcode)
  const [objectId, named] =
    'boxId' in place
      ? [place.boxId, { box_id: place.boxId }]
      : [place.locationId, { location_id: place.locationId }]
  const before = { barcode, units: units - entry.delta }
  return { objectId, named, before, after: { barcode, units } }
}

function addQuestions(app: FastifyInstance, dependencies: StaffDependencies): void {
  const questionSchema = schemaOf(201, QuestionDraft, {
    id: 'putInQuestion',
    summary: 'Поставить под вопрос',
    description: 'Свободные единицы откладываются, пока не выяснится, чьи они и сколько их.',
  })
  app.post<ClientParams>(
    '/clients/:id/in-question',
    { schema: questionSchema, config },
    async (request, reply) => {
      const { entry_id, qty: units, ...entry } = bodyOf(QuestionDraft, request)
      const item = await enter(dependencies, request, { ...entry, entry_id }, (work, client) =>
        putInQuestion(work, client, { ...entry, units }),
      )
      return reply.code(201).send(item)
    },
  )

  const resolveSchema = schemaOf(200, ResolutionDraft, {
    id: 'resolveQuestion',
    summary: 'Закончить расследование',
    description: 'Единицы под вопросом снова свободны или списаны.',
  })
  app.post<ClientParams>(
    '/clients/:id/in-question/resolve',
    { schema: resolveSchema, config },
    (request) => {
      const { entry_id, qty: units, ...entry } = bodyOf(ResolutionDraft, request)
      return enter(dependencies, request, { ...entry, entry_id }, (work, client) =>
        resolveQuestion(work, client, { ...entry, units }),
      )
    },
  )
}

function schemaOf(
  status: number,
  body: TSchema & { $id?: string },
  described: { readonly id: string; readonly summary: string; readonly description: string },
) {
  return staffOperation({
    ...described,
    tag: 'Остатки',
    params: clientParams,
    body,
    answers: { [status]: { description: 'Остаток товара.', schema: named(StaffStockItem) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
}

/** Writes a ledger entry, once per entry_id, and answers the product's stock. */
async function enter(
  dependencies: StaffDependencies,
  request: FastifyRequest<ClientParams>,
  { barcode: text, entry_id }: { readonly barcode: string; readonly entry_id: string | undefined },
  verb: EntryVerb,
): Promise<Shown<typeof StaffStockItem>> {
  const client = await clientInPath(dependencies.db, request.params.id)
  const meant = async (db: Queryable) =>
    (await meantByScans(db, [{ clientId: client, text }]))(client, text)
  const barcode = await meant(dependencies.db)
  // The product may have been merged since.
  const look = async ({ tx }: Work) =>
    (await findStockItem(tx, client, barcode)) ?? findStockItem(tx, client, await meant(tx))
  const subject = {
    clientId: client,
    objectId: barcode,
    look: async (work: Work) => figuresOf(await look(work)),
  }
  return change(dependencies, request, subject, async (work) => {
    const changed = entry_id === undefined || (await takeEntry(work, client, entry_id))
    const place = changed ? await verb(work, client) : undefined
    const item = await look(work)
    if (item === undefined) throw unknownProduct(barcode)
    const answer = staffItem(client, item)
    if (!place) return { answer, changed }
    const { named: at, ...also } = place
    return { answer, made: { after: { ...figuresOf(item), ...at } }, also }
  })
}

/** The fields of a stock item that the journal keeps. */
function figuresOf(item: Awaited<ReturnType<typeof findStockItem>>) {
  return item && { quantity: item.quantity, in_question: item.in_question, reserved: item.reserved }
}
