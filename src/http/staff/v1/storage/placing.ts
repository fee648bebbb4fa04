import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Work } from '../../../../platform/db/work.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  isLocationScan,
  placeBoxAtLocation,
  placePalletAtLocation,
  recordLocationScan,
} from '../../../../warehouse/storage/location-places.ts'
import { locationForClient } from '../../../../warehouse/storage/locations.ts'
import {
  findBox,
  findPallet,
  findStored,
  kindOfNumber,
} from '../../../../warehouse/storage/queries.ts'
import { Box, Pallet } from '../../../../warehouse/storage/view.ts'
import { found } from '../../../route/list.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { ownScope } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import {
  keptAnswer,
  type LateScan,
  queuedFields,
  runMaybeNamedScan,
  scanId,
} from '../../queued-scans.ts'
import { locationParams } from './locations.ts'
import { type IdParams, storedParams } from './storage.ts'

export const PlaceDraft = Type.Object(
  {
    location_id: Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
      description: 'Место: id или код; null — снять с места.',
    }),
    scan_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Номер скана у терминала: такой же ещё раз ничего не меняет, и если короб с места уже ушёл.',
      }),
    ),
    ...queuedFields,
  },
  { $id: 'PlaceDraft', additionalProperties: false, description: 'Куда поставить.' },
)
type Place = Static<typeof PlaceDraft>

export const StandDraft = Type.Object(
  {
    sscc: Type.String({
      minLength: 1,
      maxLength: 64,
      description: `Номер короба или паллеты. ${storedParams.id}`,
    }),
    scan_id: scanId,
    ...queuedFields,
  },
  { $id: 'StandDraft', additionalProperties: false, description: 'Что поставили.' },
)

const errors = ['bad_request', 'validation_error', 'not_found', 'conflict'] as const
const placed = 'На место своего склада, или снять с места. '

/** What boxes and pallets differ in. */
const kinds = {
  box: { kind: 'box_place', place: placeBoxAtLocation, find: findBox },
  pallet: { kind: 'pallet_place', place: placePalletAtLocation, find: findPallet },
} as const
type Kind = keyof typeof kinds

/** What is placed, and where. */
interface Placed {
  readonly name: Kind
  /** Its id or SSCC. */
  readonly text: string
  readonly draft: Place
}

export function addPlacing(app: FastifyInstance, dependencies: StaffDependencies): void {
  const boxSchema = staffOperation({
    id: 'placeBoxAtLocation',
    tag: 'Хранение',
    summary: 'Поставить короб на место',
    description: `${placed}С паллеты короб при этом снимается.`,
    params: storedParams,
    body: PlaceDraft,
    answers: {
      200: { description: 'Короб, каким он стал.', schema: named(Box) },
      202: keptAnswer,
    },
    errors: [...errors],
  })
  app.post<IdParams>('/boxes/:id/place', { schema: boxSchema }, (request, reply) =>
    handle(dependencies, request, reply, namedIn(request, 'box')),
  )
  const palletSchema = staffOperation({
    id: 'placePalletAtLocation',
    tag: 'Хранение',
    summary: 'Поставить паллету на место',
    description: `${placed}Короба едут вместе с ней.`,
    params: storedParams,
    body: PlaceDraft,
    answers: {
      200: { description: 'Паллета, какой она стала.', schema: named(Pallet) },
      202: keptAnswer,
    },
    errors: [...errors],
  })
  app.post<IdParams>('/pallets/:id/place', { schema: palletSchema }, (request, reply) =>
    handle(dependencies, request, reply, namedIn(request, 'pallet')),
  )
  addPlacingByNumber(app, dependencies)
}

/** A handheld that scans a number without network cannot know whether a box or a pallet has it. */
function addPlacingByNumber(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'placeAtLocation',
    tag: 'Хранение',
    summary: 'Поставить на место короб или паллету',
    description: `${placed}Чей это номер, короба или паллеты, склад находит сам.`,
    params: locationParams,
    body: StandDraft,
    answers: {
      200: {
        description: 'Короб или паллета, какими они стали.',
        schema: Type.Union([named(Box), named(Pallet)]),
      },
      202: keptAnswer,
    },
    errors: [...errors],
  })
  app.post<IdParams>('/locations/:id/place', { schema }, async (request, reply) => {
    const { sscc, ...scan } = bodyOf(StandDraft, request)
    const name = await kindOfNumber(dependencies.db, sscc, ownScope(request).warehouses)
    if (name === undefined) throw notFound(`Нет короба или паллеты с номером ${sscc}`)
    const draft = { ...scan, location_id: request.params.id }
    return handle(dependencies, request, reply, { name, text: sscc, draft })
  })
}

function namedIn(request: FastifyRequest<IdParams>, name: Kind): Placed {
  return { name, text: request.params.id, draft: bodyOf(PlaceDraft, request) }
}

async function handle(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, text, draft }: Placed,
): Promise<Box | Pallet | FastifyReply> {
  const { db } = dependencies
  const { kind, find: read } = kinds[name]
  const stored = await findStored(db, name, text)
  const { clientId, id: objectId } = stored
  const find = async () => {
    const { location_id: text, scan_id: scanId } = draft
    if (text === null || scanId === undefined) return undefined
    const location = await locationForClient(db, clientId, text)
    return (await isLocationScan(db, clientId, location, scanId)) ? read(db, stored) : undefined
  }
  const look = async ({ tx }: Work) => {
    const { location_code, ...now } = found(await read(tx, stored))
    return { ...('pallet_id' in now && { pallet_id: now.pallet_id }), location_code }
  }
  const run = () =>
    change(dependencies, request, { clientId, objectId, look }, async (work) => {
      const changed = await placeOnce(work, { clientId, objectId, draft }, name)
      return { answer: found<Box | Pallet>(await read(work.tx, stored)), changed }
    })
  const scan = { kind, clientId, objectId, draft, find, run }
  return runMaybeNamedScan<Box | Pallet>(dependencies, request, reply, scan)
}

/** Returns false for a scan that was recorded before, and for what stands there already. */
async function placeOnce(
  work: Work,
  { clientId, objectId, draft }: Parameters<LateScan<Place>>[1],
  name: Kind,
): Promise<boolean> {
  const { location_id: text, scan_id: scanId } = draft
  const to = text && (await locationForClient(work.tx, clientId, text))
  if (to !== null && scanId !== undefined) {
    if (!(await recordLocationScan(work, clientId, to, scanId))) return false
  }
  return kinds[name].place(work, clientId, objectId, to)
}

export const lateBoxPlace: LateScan<Place> = (work, scan) => placeOnce(work, scan, 'box')
export const latePalletPlace: LateScan<Place> = (work, scan) => placeOnce(work, scan, 'pallet')
