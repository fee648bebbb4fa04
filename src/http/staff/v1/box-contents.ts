import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { productOfScan } from '../../../catalogue/products.ts'
import type { Work } from '../../../db/work.ts'
import { named } from '../../../kernel/schema.ts'
import { moveBetweenBoxes, putIntoBox, takeFromBoxes } from '../../../stock/boxed-units.ts'
import type { BoxedUnits } from '../../../storage/box-contents.ts'
import { recordBoxScan } from '../../../storage/boxes.ts'
import { findBox, findStored, type Stored, unitsInBox } from '../../../storage/queries.ts'
import { Box } from '../../../storage/view.ts'
import { found } from '../../list.ts'
import { bodyOf, change } from '../change.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { staffOperation } from '../operation.ts'
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
const answers = { 200: { description: 'Короб, каким он стал.', schema: named(Box) } }

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
  app.post<IdParams>('/boxes/:id/put', { schema: putSchema }, async (request) => {
    const entry = bodyOf(BoxedDraft, request)
    const box = await findStored(dependencies.db, 'box', request.params.id)
    return handle(dependencies, request, { box, entry }, (work, units) =>
      putIntoBox(work, box.clientId, units),
    )
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
  app.post<IdParams>('/boxes/:id/take', { schema: takeSchema }, async (request) => {
    const entry = bodyOf(BoxedDraft, request)
    const box = await findStored(dependencies.db, 'box', request.params.id)
    return handle(dependencies, request, { box, entry }, (work, units) =>
      takeFromBoxes(work, box.clientId, [units]),
    )
  })
  addMove(app, dependencies)
}

function addMove(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'moveBetweenBoxes',
    tag: 'Хранение',
    summary: 'Переложить в другой короб',
    description: 'Взять из этого короба и положить в другой, одним действием.',
    params: storedParams,
    body: BoxMoveDraft,
    answers,
    ...bounds,
  })
  app.post<IdParams>('/boxes/:id/move', { schema }, async (request) => {
    const { to_box_id, ...entry } = bodyOf(BoxMoveDraft, request)
    const box = await findStored(db, 'box', request.params.id)
    const toBoxId = await storedInBody(db, 'box', box.clientId, to_box_id)
    return handle(dependencies, request, { box, entry, toBoxId }, (work, units) =>
      moveBetweenBoxes(work, box.clientId, { ...units, toBoxId }),
    )
  })
}

interface Handling {
  readonly box: Stored
  readonly entry: Static<typeof BoxedDraft>
  readonly toBoxId?: string
}

/** Changes the contents of a box, once per scan_id, and answers the box. */
async function handle(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  { box, entry, toBoxId }: Handling,
  verb: (work: Work, units: BoxedUnits) => Promise<void>,
): Promise<Box> {
  const { scan_id, qty: units } = entry
  const barcode = await productOfScan(dependencies.db, box.clientId, entry.barcode)
  const look = async ({ tx }: Work) => ({ barcode, units: await unitsInBox(tx, box, barcode) })
  const subject = { clientId: box.clientId, objectId: box.id, look }
  return change(dependencies, request, subject, async (work) => {
    const changed =
      scan_id === undefined || (await recordBoxScan(work, box.clientId, box.id, scan_id))
    if (changed) await verb(work, { boxId: box.id, barcode, units })
    return {
      answer: found(await findBox(work.tx, box)),
      made: { after: { ...(await look(work)), ...(toBoxId && { to_box_id: toBoxId }) } },
      changed,
    }
  })
}
