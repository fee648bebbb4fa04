import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { productOfScan } from '../../../../warehouse/catalogue/products.ts'
import { moveBetweenBoxes, putIntoBox } from '../../../../warehouse/stock/boxed-units.ts'
import { takeFromPlaces } from '../../../../warehouse/stock/located-units.ts'
import { isBoxScan, recordBoxScan } from '../../../../warehouse/storage/boxes.ts'
import { type BoxedUnits, unitsAtPlace } from '../../../../warehouse/storage/place-contents.ts'
import { findBox, findStored } from '../../../../warehouse/storage/queries.ts'
import { Box } from '../../../../warehouse/storage/view.ts'
import { found } from '../../../route/list.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { keptAnswer, type LateScan, queuedFields, runMaybeNamedScan } from '../../queued-scans.ts'
import { type IdParams, storedInBody, storedParams } from './storage.ts'

const handled = {
  barcode: Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод товара.' }),
  qty: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Сколько единиц.' }),
  scan_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Номер скана у терминала: такой же ещё раз ничего не меняет.',
    }),
  ),
  ...queuedFields,
}
export const BoxedDraft = Type.Object(handled, {
  $id: 'BoxedDraft',
  additionalProperties: false,
  description: 'Что положить или взять.',
})
export const BoxMoveDraft = Type.Object(
  {
    ...handled,
    to_box_id: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Другой короб того же клиента: id или SSCC.',
    }),
  },
  { $id: 'BoxMoveDraft', additionalProperties: false, description: 'Что и куда переложить.' },
)

const bounds = { errors: ['bad_request', 'validation_error', 'not_found', 'conflict'] } as const
const answers = {
  200: { description: 'Короб, каким он стал.', schema: named(Box) },
  202: keptAnswer,
}

type Boxed = Static<typeof BoxedDraft>
type BoxMove = Static<typeof BoxMoveDraft>
type Verb<Draft> = (
  work: Work,
  clientId: string,
  units: BoxedUnits,
  draft: Draft,
) => Promise<unknown>

export function addBoxContents(app: FastifyInstance, dependencies: StaffDependencies): void {
  const putSchema = staffOperation({
    id: 'putIntoBox',
    tag: 'Хранение',
    summary: 'Положить в короб',
    description: 'Единицы, которые ещё не лежат ни в каком коробе.',
    params: storedParams,
    body: BoxedDraft,
    answers,
    ...bounds,
  })
  app.post<IdParams>('/boxes/:id/put', { schema: putSchema }, (request, reply) => {
    const draft = bodyOf(BoxedDraft, request)
    return handle(dependencies, request, reply, { kind: 'box_put', draft, verb: put })
  })

  const takeSchema = staffOperation({
    id: 'takeFromBox',
    tag: 'Хранение',
    summary: 'Взять из короба',
    description: 'Единицы остаются на складе, но больше не лежат в коробе.',
    params: storedParams,
    body: BoxedDraft,
    answers,
    ...bounds,
  })
  app.post<IdParams>('/boxes/:id/take', { schema: takeSchema }, (request, reply) => {
    const draft = bodyOf(BoxedDraft, request)
    return handle(dependencies, request, reply, { kind: 'box_take', draft, verb: take })
  })

  const moveSchema = staffOperation({
    id: 'moveBetweenBoxes',
    tag: 'Хранение',
    summary: 'Переложить в другой короб',
    description: 'Взять из этого короба и положить в другой, одним действием.',
    params: storedParams,
    body: BoxMoveDraft,
    answers,
    ...bounds,
  })
  app.post<IdParams>('/boxes/:id/move', { schema: moveSchema }, (request, reply) => {
    const draft = bodyOf(BoxMoveDraft, request)
    return handle(dependencies, request, reply, { kind: 'box_move', draft, verb: move })
  })
}

const put: Verb<Boxed> = putIntoBox
const take: Verb<Boxed> = (work, clientId, units) => takeFromPlaces(work, clientId, [units])
const move: Verb<BoxMove> = async (work, clientId, units, { to_box_id }) => {
  const toBoxId = await storedInBody(work.tx, 'box', clientId, to_box_id)
  await moveBetweenBoxes(work, clientId, { ...units, toBoxId })
  return { to_box_id: toBoxId }
}

interface Handling<Draft> {
  readonly kind: 'box_put' | 'box_take' | 'box_move'
  readonly draft: Draft
  readonly verb: Verb<Draft>
}

/** Changes the contents of a box, once per scan_id, and answers the box. */
async function handle<Draft extends Boxed>(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, draft, verb }: Handling<Draft>,
): Promise<Box | FastifyReply> {
  const { db } = dependencies
  const { id: text } = request.params as IdParams['Params']
  const box = await findStored(db, 'box', text)
  const { clientId, id: objectId } = box
  const find = async () =>
    draft.scan_id !== undefined && (await isBoxScan(db, clientId, objectId, draft.scan_id))
      ? findBox(db, box)
      : undefined
  const run = async () => {
    const barcode = await productOfScan(db, clientId, draft.barcode)
    const look = async ({ tx }: Work) => ({
      barcode,
      units: await unitsAtPlace(tx, clientId, { boxId: objectId }, barcode),
    })
    return change(dependencies, request, { clientId, objectId, look }, async (work) => {
      const { changed, moved } = await handleOnce(work, { clientId, objectId, draft, verb })
      const answer = found(await findBox(work.tx, box))
      return { answer, made: { after: { ...(await look(work)), ...moved } }, changed }
    })
  }
  const scan = { kind, clientId, objectId, draft, find, run }
  return runMaybeNamedScan(dependencies, request, reply, scan)
}

interface BoxScan<Draft> {
  readonly clientId: string
  readonly objectId: string
  readonly draft: Draft
  readonly verb: Verb<Draft>
}

/** `changed` is false for a scan that was recorded before; `moved` says where units went. */
async function handleOnce<Draft extends Boxed>(
  work: Work,
  { clientId, objectId: boxId, draft, verb }: BoxScan<Draft>,
): Promise<{ readonly changed: boolean; readonly moved?: object }> {
  const { scan_id, qty: units } = draft
  const barcode = await productOfScan(work.tx, clientId, draft.barcode)
  if (scan_id !== undefined && !(await recordBoxScan(work, clientId, boxId, scan_id))) {
    return { changed: false }
  }
  const moved = await verb(work, clientId, { boxId, barcode, units }, draft)
  return { changed: true, ...(typeof moved === 'object' && moved !== null && { moved }) }
}

export const lateBoxPut: LateScan<Boxed> = (work, scan) => handleOnce(work, { ...scan, verb: put })
export const lateBoxTake: LateScan<Boxed> = (work, scan) =>
  handleOnce(work, { ...scan, verb: take })
export const lateBoxMove: LateScan<BoxMove> = (work, scan) =>
  handleOnce(work, { ...scan, verb: move })
