import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { productOfScan } from '../../../catalogue/products.ts'
import type { Database } from '../../../db/connection.ts'
import type { Work } from '../../../db/work.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { named } from '../../../kernel/schema.ts'
import {
  emptyLocation,
  type MoveTarget,
  moveFromLocation,
  putAtLocation,
  takeFromLocation,
} from '../../../stock/located-units.ts'
import { type LocatedUnits, unitsAtLocation } from '../../../storage/location-contents.ts'
import {
  placeBoxAtLocation,
  placePalletAtLocation,
  recordLocationScan,
} from '../../../storage/location-places.ts'
import { findLocation, locationSummary } from '../../../storage/location-queries.ts'
import { Location } from '../../../storage/location-view.ts'
import { findLocationId, locationForClient, unknownInPath } from '../../../storage/locations.ts'
import { findBox, findPallet, findStored, type Stored } from '../../../storage/queries.ts'
import { Box, Pallet } from '../../../storage/view.ts'
import { found } from '../../list.ts'
import { bodyOf, change } from '../change.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { staffOperation } from '../operation.ts'
import { locationParams } from './locations.ts'
import { clientInBody, type IdParams, storedInBody, storedParams } from './storage.ts'

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
export const PlaceDraft = Type.Object(
  {
    location_id: Type.Union([Type.String(locationText), Type.Null()], {
      description: 'Место: id или код; null — снять с места.',
    }),
  },
  { $id: 'PlaceDraft', additionalProperties: false, description: 'Куда поставить.' },
)

const errors = ['bad_request', 'validation_error', 'not_found', 'conflict'] as const
const answers = { 200: { description: 'Место, каким оно стало.', schema: named(Location) } }

interface Handling {
  readonly place: Stored
  readonly entry: Static<typeof LocatedDraft>
}
type Verb = (work: Work, clientId: string, units: LocatedUnits) => Promise<void>

export function addLocationContents(app: FastifyInstance, dependencies: StaffDependencies): void {
  addHandling(app, dependencies)
  addMove(app, dependencies)
  addEmptying(app, dependencies)
  addPlacing(app, dependencies)
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
  app.post<IdParams>('/locations/:id/put', { schema: putSchema }, async (request) => {
    const entry = bodyOf(LocatedDraft, request)
    const place = await placeOf(dependencies.db, request, entry.client_id)
    return handle(dependencies, request, { place, entry }, putAtLocation)
  })
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
  app.post<IdParams>('/locations/:id/take', { schema: takeSchema }, async (request) => {
    const entry = bodyOf(LocatedDraft, request)
    const place = await placeOf(dependencies.db, request, entry.client_id)
    return handle(dependencies, request, { place, entry }, takeFromLocation)
  })
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
  app.post<IdParams>('/locations/:id/move', { schema }, async (request) => {
    const { to_location_id, to_box_id, ...entry } = bodyOf(LocationMoveDraft, request)
    const place = await placeOf(dependencies.db, request, entry.client_id)
    const to = await targetOf(dependencies.db, place.clientId, to_location_id, to_box_id)
    return handle(dependencies, request, { place, entry }, (work, clientId, units) =>
      moveFromLocation(work, clientId, units, to),
    )
  })
}

async function targetOf(
  db: Database,
  clientId: string,
  location: string | undefined,
  box: string | undefined,
): Promise<MoveTarget> {
  if ((location === undefined) === (box === undefined)) {
    throw invalidField('to_location_id', 'укажите одно из двух: to_location_id или to_box_id')
  }
  if (box !== undefined) return { boxId: await storedInBody(db, 'box', clientId, box) }
  const field = 'to_location_id'
  return { locationId: await locationForClient(db, clientId, location ?? '', { field }) }
}

/** Changes the loose units at a location, once per scan_id, and answers the location. */
async function handle(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  { place, entry }: Handling,
  verb: Verb,
): Promise<Location> {
  const { clientId, id } = place
  const { scan_id, qty: units } = entry
  const barcode = await productOfScan(dependencies.db, clientId, entry.barcode)
  const look = async ({ tx }: Work) => ({
    barcode,
    units: await unitsAtLocation({ tx }, clientId, id, barcode),
  })
  return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
    const changed = await recordLocationScan(work, clientId, id, scan_id)
    if (changed) await verb(work, clientId, { locationId: id, barcode, units })
    return { answer: found(await findLocation(work.tx, id)), changed }
  })
}

/** The location of the path and the client of the body. An unknown location is not_found for any client. */
async function placeOf(db: Database, request: FastifyRequest, client: string): Promise<Stored> {
  const { id: text } = request.params as IdParams['Params']
  const clientId = await clientInBody(db, client).catch(async (error: unknown) => {
    await findLocationId(db, text)
    throw error
  })
  const id = await locationForClient(db, clientId, text, { unknown: unknownInPath })
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
    answers,
    errors: ['not_found', 'conflict'],
  })
  app.post<IdParams>('/locations/:id/empty', { schema }, async (request) => {
    const id = await findLocationId(dependencies.db, request.params.id)
    const look = ({ tx }: Work) => locationSummary(tx, id)
    return change(dependencies, request, { objectId: id, look }, async (work) => {
      const changed = await emptyLocation(work, id)
      return { answer: found(await findLocation(work.tx, id)), changed }
    })
  })
}

const placed = 'На место своего склада, или снять с места. '

function addPlacing(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const boxSchema = staffOperation({
    id: 'placeBoxAtLocation',
    tag: 'Хранение',
    summary: 'Поставить короб на место',
    description: `${placed}С паллеты короб при этом снимается.`,
    params: storedParams,
    body: PlaceDraft,
    answers: { 200: { description: 'Короб, каким он стал.', schema: named(Box) } },
    errors: [...errors],
  })
  app.post<IdParams>('/boxes/:id/place', { schema: boxSchema }, async (request) => {
    const { location_id } = bodyOf(PlaceDraft, request)
    const { clientId, id } = await findStored(db, 'box', request.params.id)
    const to = location_id && (await locationForClient(db, clientId, location_id))
    const look = async ({ tx }: Work) => {
      const { pallet_id, location_code } = found(await findBox(tx, { clientId, id }))
      return { pallet_id, location_code }
    }
    return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
      const changed = await placeBoxAtLocation(work, clientId, id, to)
      return { answer: found(await findBox(work.tx, { clientId, id })), changed }
    })
  })
  const palletSchema = staffOperation({
    id: 'placePalletAtLocation',
    tag: 'Хранение',
    summary: 'Поставить паллету на место',
    description: `${placed}Короба едут вместе с ней.`,
    params: storedParams,
    body: PlaceDraft,
    answers: { 200: { description: 'Паллета, какой она стала.', schema: named(Pallet) } },
    errors: [...errors],
  })
  app.post<IdParams>('/pallets/:id/place', { schema: palletSchema }, async (request) => {
    const { location_id } = bodyOf(PlaceDraft, request)
    const { clientId, id } = await findStored(db, 'pallet', request.params.id)
    const to = location_id && (await locationForClient(db, clientId, location_id))
    const look = async ({ tx }: Work) => ({
      location_code: found(await findPallet(tx, { clientId, id })).location_code,
    })
    return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
      const changed = await placePalletAtLocation(work, clientId, id, to)
      return { answer: found(await findPallet(work.tx, { clientId, id })), changed }
    })
  })
}
