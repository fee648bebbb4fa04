import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Queryable } from '../../../../platform/db/connection.ts'
import { lotNumberMax, readLotCode } from '../../../../platform/kernel/codes/lot.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { countedGoods } from '../../../../warehouse/counts/goods.ts'
import { findCountScan, ownerOfCount } from '../../../../warehouse/counts/queries.ts'
import type { CountingScan } from '../../../../warehouse/counts/scan-statements.ts'
import { countTogether, countUnits, undoCountScan } from '../../../../warehouse/counts/scans.ts'
import { CountScan } from '../../../../warehouse/counts/view.ts'
import { locationForClient } from '../../../../warehouse/storage/locations.ts'
import { found } from '../../../route/list.ts'
import { bodyOf, change, changeTogether } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import {
  keptAnswer,
  type LateScan,
  queuedFields,
  runScan,
  scanId,
  unitCode,
} from '../../queued-scans.ts'
import { lotIn } from '../goods/lot-fields.ts'
import { countParams } from './counts.ts'
import { type IdParams, storedInBody } from './storage.ts'

const place = { minLength: 1, maxLength: 64 }

export const CountScanDraft = Type.Object(
  {
    scan_id: scanId,
    code: unitCode,
    qty: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Сколько единиц видно; 0 — здесь их нет; по коду маркировки 1.',
    }),
    box_id: Type.Optional(
      Type.String({ ...place, description: 'Короб, в котором они лежат: id или SSCC.' }),
    ),
    location_id: Type.Optional(
      Type.String({ ...place, description: 'Место, где они лежат вне коробов: id или код.' }),
    ),
    expires_on: Type.Optional(
      Type.String({
        maxLength: 20,
        description:
          'Срок годности этих единиц, если он учитывается: 31.12.2027 или 2027-12-31; без него читается из кода. ' +
          'При закрытии пересчёта сроки на этом месте становятся такими.',
      }),
    ),
    lot_number: Type.Optional(
      Type.String({
        maxLength: lotNumberMax,
        description: 'Номер партии; только вместе с expires_on.',
      }),
    ),
    ...queuedFields,
  },
  {
    $id: 'CountScanDraft',
    additionalProperties: false,
    description: 'Сколько единиц видит работник.',
  },
)

const answers = { 200: { description: 'Скан принят.', schema: named(CountScan) } }

export function addCountScans(app: FastifyInstance, dependencies: StaffDependencies): void {
  addScanning(app, dependencies)
  addUndoing(app, dependencies)
}

function addScanning(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'scanInCount',
    tag: 'Остатки',
    summary: 'Посчитать единицы',
    description:
      'Прибавляет к насчитанному. Сравнивается с тем, что числилось в эту минуту. Считать могут ' +
      'несколько человек сразу.',
    params: countParams,
    body: CountScanDraft,
    answers: { ...answers, 202: keptAnswer },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  const count = changeTogether<CountingScan, CountScan>(dependencies, async (work, changes) => {
    const scans = changes.map(({ objectId, ...scan }) => ({ ...scan, countId: objectId }))
    const verdicts = await countTogether(work, scans)
    return verdicts.map((verdict) => {
      if (verdict.kind !== 'done') return verdict
      const { repeated, ...counted } = verdict.result
      const after = repeated ? undefined : counted
      return { kind: 'done', result: { answer: verdict.result, after } }
    })
  })
  app.post<IdParams>('/counts/:id/scans', { schema }, async (request, reply) => {
    const draft = bodyOf(CountScanDraft, request)
    const { id } = request.params
    const clientId = await ownerOfCount(db, id)
    const find = async () => {
      const known = await findCountScan(db, clientId, id, draft.scan_id)
      return known && { ...known, repeated: true }
    }
    const run = async () => {
      const scan = await scanOf(db, clientId, draft)
      return count(request, { clientId, objectId: id, ...scan })
    }
    const subject = { kind: 'count_scan', clientId, objectId: id } as const
    return runScan(dependencies, request, reply, { ...subject, draft, find, run })
  })
}

export const lateCountScan: LateScan<Static<typeof CountScanDraft>> = async (
  work,
  { clientId, objectId, draft },
) => {
  const scan = await scanOf(work.tx, clientId, draft)
  return countUnits(work, clientId, objectId, { ...scan, isLate: true })
}

async function scanOf(
  db: Queryable,
  clientId: string,
  draft: Static<typeof CountScanDraft>,
): Promise<CountingScan> {
  const read = readLotCode(draft.code)
  const code = read?.gtin === undefined || read.isOfUnit ? draft.code : read.gtin
  return {
    scanId: draft.scan_id,
    units: draft.qty,
    lot: lotIn(draft) ?? read?.lot,
    ...(await countedGoods(db, clientId, code, draft.qty)),
    ...(await placeOf(db, clientId, draft)),
  }
}

async function placeOf(
  db: Queryable,
  clientId: string,
  { box_id: box, location_id: location }: Static<typeof CountScanDraft>,
) {
  if (box !== undefined && location !== undefined) {
    throw invalidField('location_id', 'укажите что-то одно: короб или место вне коробов')
  }
  if (box !== undefined) return { boxId: await storedInBody(db, 'box', clientId, box, 'box_id') }
  if (location === undefined) return {}
  return { locationId: await locationForClient(db, clientId, location) }
}

function addUndoing(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'undoCountScan',
    tag: 'Остатки',
    summary: 'Отменить скан пересчёта',
    description: 'Пока идёт пересчёт. Повтор ничего не меняет.',
    params: { ...countParams, scan_id: 'Номер скана.' },
    answers,
    errors: ['not_found', 'conflict'],
  })
  app.post<{ Params: { id: string; scan_id: string } }>(
    '/counts/:id/scans/:scan_id/undo',
    { schema },
    async (request) => {
      const { id, scan_id: scanId } = request.params
      const clientId = await ownerOfCount(dependencies.db, id)
      return change(dependencies, request, { clientId, objectId: id }, async (work) => {
        const changed = await undoCountScan(work, clientId, id, scanId)
        const scan = found(await findCountScan(work.tx, clientId, id, scanId))
        return { answer: { ...scan, repeated: !changed }, made: { after: scan }, changed }
      })
    },
  )
}
