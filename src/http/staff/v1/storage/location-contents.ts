import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { productOfScan } from '../../../../warehouse/catalogue/products.ts'
import { emptyLocation, moveFromLocation } from '../../../../warehouse/stock/located-units.ts'
import {
  handleShelf,
  handleShelves,
  type ShelfOutcome,
  type ShelfScan,
} from '../../../../warehouse/stock/put-away.ts'
import {
  isLocationScan,
  recordLocationScan,
} from '../../../../warehouse/storage/location-places.ts'
import {
  findLocation,
  findLocations,
  locationSummary,
} from '../../../../warehouse/storage/location-queries.ts'
import { Location } from '../../../../warehouse/storage/location-view.ts'
import {
  findLocationId,
  locationForClient,
  locationInPathFor,
} from '../../../../warehouse/storage/locations.ts'
import { type UnitPlace, unitsAtPlace } from '../../../../warehouse/storage/place-contents.ts'
import type { Stored } from '../../../../warehouse/storage/queries.ts'
import { found } from '../../../route/list.ts'
import { clientInBody } from '../../body-ids.ts'
import { bodyOf, change, changeTogether } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { ownScope } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { keptAnswer, type LateScan, queuedFields, runScan } from '../../queued-scans.ts'
import { locationParams } from './locations.ts'
import { type IdParams, storedInBody } from './storage.ts'

const locationText = { minLength: 1, maxLength: 64 }
const handled = {
  scan_id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Номер скана у терминала: такой же ещё раз ничего не меняет.',
  }),
  client_id: Type.String({ description: 'Чей товар.' }),
  barcode: Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод товара.' }),
  qty: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Сколько единиц.' }),
  ...queuedFields,
}
export const LocatedDraft = Type.Object(handled, {
  $id: 'LocatedDraft',
  additionalProperties: false,
  description: 'Что положить на место или взять с него.',
})
export const LocationMoveDraft = Type.Object(
  {
    ...handled,
    to_location_id: Type.Optional(
      Type.String({ ...locationText, description: 'Другое место: id или код.' }),
    ),
    to_box_id: Type.Optional(
      Type.String({ ...locationText, description: 'Или короб клиента: id или SSCC.' }),
    ),
  },
  { $id: 'LocationMoveDraft', additionalProperties: false, description: 'Что и куда переложить.' },
)
const errors = ['bad_request', 'validation_error', 'not_found', 'conflict'] as const
const became = { 200: { description: 'Место, каким оно стало.', schema: named(Location) } }
const answers = { ...became, 202: keptAnswer }

type Located = Static<typeof LocatedDraft>
type Shelved = Pick<ShelfScan, 'kind' | 'scanId' | 'code' | 'units'>

export function addLocationContents(app: FastifyInstance, dependencies: StaffDependencies): void {
  addHandling(app, dependencies)
  addMove(app, dependencies)
  addEmptying(app, dependencies)
}

function addHandling(app: FastifyInstance, dependencies: StaffDependencies): void {
  const putSchema = staffOperation({
    id: 'putAtLocation',
    tag: 'Хранение',
    summary: 'Положить на место',
    description: 'Единицы, которые ещё не лежат ни в коробе, ни на другом месте.',
    params: locationParams,
    body: LocatedDraft,
    answers,
    errors: [...errors],
  })
  const handle = changeTogether<Shelved, Location>(dependencies, async (work, changes) => {
    const scans = changes.map(({ objectId, ...scan }) => ({ ...scan, locationId: objectId }))
    const verdicts = await handleShelves(work, scans)
    const ids = scans.filter((_, n) => verdicts[n]?.kind === 'done').map((scan) => scan.locationId)
    const locations = await findLocations(work.tx, ids)
    return scans.map(({ locationId }, n) => {
      const verdict = verdicts[n] ?? { kind: 'apart' }
      if (verdict.kind !== 'done') return verdict
      const { isNew, barcode, before, after } = verdict.result
      const answer = found(locations.get(locationId))
      const entry = { before: { barcode, units: before }, after: { barcode, units: after } }
      return { kind: 'done', result: { answer, ...(isNew ? entry : { after: undefined }) } }
    })
  })
  const scan = async (kind: 'put' | 'take', request: FastifyRequest, reply: FastifyReply) => {
    const draft = bodyOf(LocatedDraft, request)
    const subject = await subjectOf(dependencies.db, request, draft)
    const { clientId, objectId } = subject
    const { scan_id: scanId, barcode: code, qty: units } = draft
    const run = () => handle(request, { clientId, objectId, kind, scanId, code, units })
    return runScan(dependencies, request, reply, {
      ...subject,
      kind: `location_${kind}`,
      draft,
      run,
    })
  }
  app.post<IdParams>('/locations/:id/put', { schema: putSchema }, (request, reply) =>
    scan('put', request, reply),
  )
  const takeSchema = staffOperation({
    id: 'takeFromLocation',
    tag: 'Хранение',
    summary: 'Взять с места',
    description: 'Единицы вне коробов остаются на складе, но больше не лежат на этом месте.',
    params: locationParams,
    body: LocatedDraft,
    answers,
    errors: [...errors],
  })
  app.post<IdParams>('/locations/:id/take', { schema: takeSchema }, (request, reply) =>
    scan('take', request, reply),
  )
}

function addMove(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'moveFromLocation',
    tag: 'Хранение',
    summary: 'Переложить с места',
    description: 'На другое место или в короб, одним действием.',
    params: locationParams,
    body: LocationMoveDraft,
    answers,
    errors: [...errors],
  })
  app.post<IdParams>('/locations/:id/move', { schema }, async (request, reply) => {
    const { db } = dependencies
    const draft = bodyOf(LocationMoveDraft, request)
    const { find, ...subject } = await subjectOf(db, request, draft)
    const { clientId, objectId } = subject
    const run = async () => {
      const barcode = await productOfScan(db, clientId, draft.barcode)
      const look = async ({ tx }: Work) => ({
        barcode,
        units: await unitsAtPlace(tx, clientId, { locationId: objectId }, barcode),
      })
      return change(dependencies, request, { ...subject, look, planOnce: true }, async (work) => {
        const changed = await move(work, { ...subject, draft })
        return { answer: found(await findLocation(work.tx, objectId)), changed }
      })
    }
    const scan = { ...subject, kind: 'location_move', draft, find, run } as const
    return runScan(dependencies, request, reply, scan)
  })
}

async function targetOf(
  db: Queryable,
  clientId: string,
  location: string | undefined,
  box: string | undefined,
): Promise<UnitPlace> {
  if ((location === undefined) === (box === undefined)) {
    throw invalidField('to_location_id', 'укажите одно из двух: to_location_id или to_box_id')
  }
  if (box !== undefined) return { boxId: await storedInBody(db, 'box', clientId, box) }
  return { locationId: await locationForClient(db, clientId, location ?? '', 'to_location_id') }
}

type Moved = Static<typeof LocationMoveDraft>
type Late<Draft> = Parameters<LateScan<Draft>>[1]

/** Returns false for a scan that was recorded before. */
async function move(work: Work, { clientId, objectId, draft }: Late<Moved>): Promise<boolean> {
  const { scan_id, qty: units, to_location_id, to_box_id } = draft
  const barcode = await productOfScan(work.tx, clientId, draft.barcode)
  if (!(await recordLocationScan(work, clientId, objectId, scan_id))) return false
  const to = await targetOf(work.tx, clientId, to_location_id, to_box_id)
  await moveFromLocation(work, clientId, { locationId: objectId, barcode, units }, to)
  return true
}

function handleLate(
  work: Work,
  kind: 'put' | 'take',
  { clientId, objectId: locationId, draft }: Late<Located>,
): Promise<ShelfOutcome> {
  const { scan_id: scanId, barcode: code, qty: units } = draft
  return handleShelf(work, { kind, clientId, locationId, scanId, code, units })
}

export const lateLocationPut: LateScan<Located> = (work, scan) => handleLate(work, 'put', scan)
export const lateLocationTake: LateScan<Located> = (work, scan) => handleLate(work, 'take', scan)
export const lateLocationMove: LateScan<Moved> = move

/** The client and the location of a scan, and how to find what it answered before. */
async function subjectOf(db: Database, request: FastifyRequest, draft: Located) {
  const { clientId, id: objectId } = await placeOf(db, request, draft.client_id)
  const find = async () =>
    (await isLocationScan(db, clientId, objectId, draft.scan_id))
      ? findLocation(db, objectId)
      : undefined
  return { clientId, objectId, find }
}

/** The location of the path and the client of the body. An unknown location is not_found for any client. */
async function placeOf(db: Database, request: FastifyRequest, client: string): Promise<Stored> {
  const { id: text } = request.params as IdParams['Params']
  const clientId = await clientInBody(db, request, client).catch(async (error: unknown) => {
    await findLocationId(db, text, ownScope(request).warehouses)
    throw error
  })
  const id = await locationInPathFor(db, clientId, text)
  return { clientId, id }
}

function addEmptying(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'emptyLocation',
    tag: 'Хранение',
    summary: 'Освободить место',
    description:
      'С места снимается всё: единицы вне коробов, короба и паллеты. Они остаются на складе, и остатки ' +
      'не меняются.',
    params: locationParams,
    answers: became,
    errors: ['not_found', 'conflict'],
  })
  app.post<IdParams>('/locations/:id/empty', { schema }, async (request) => {
    const id = await findLocationId(
      dependencies.db,
      request.params.id,
      ownScope(request).warehouses,
    )
    const look = ({ tx }: Work) => locationSummary(tx, id)
    return change(dependencies, request, { objectId: id, look }, async (work) => {
      const changed = await emptyLocation(work, id)
      return { answer: found(await findLocation(work.tx, id)), changed }
    })
  })
}
