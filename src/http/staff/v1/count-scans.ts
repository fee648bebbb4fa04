import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { countedGoods } from '../../../counts/goods.ts'
import { findCountScan, ownerOfCount } from '../../../counts/queries.ts'
import { countUnits, undoCountScan } from '../../../counts/scans.ts'
import { CountScan } from '../../../counts/view.ts'
import type { Database } from '../../../db/connection.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { named } from '../../../kernel/schema.ts'
import { locationForClient } from '../../../storage/locations.ts'
import { found } from '../../list.ts'
import { bodyOf, change } from '../change.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { staffOperation } from '../operation.ts'
import { countParams } from './counts.ts'
import { type IdParams, storedInBody } from './storage.ts'

const place = { minLength: 1, maxLength: 64 }

export const CountScanDraft = Type.Object(
  {
    scan_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Номер скана от терминала: тот же номер ничего не меняет.',
    }),
    code: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Штрихкод товара или код маркировки единицы, как его прочитал сканер.',
    }),
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
    answers,
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<IdParams>('/counts/:id/scans', { schema }, async (request) => {
    const draft = bodyOf(CountScanDraft, request)
    const { id } = request.params
    const clientId = await ownerOfCount(db, id)
    const scan = {
      scanId: draft.scan_id,
      units: draft.qty,
      ...(await countedGoods(db, clientId, draft.code, draft.qty)),
      ...(await placeOf(db, clientId, draft)),
    }
    return change(dependencies, request, { clientId, objectId: id }, async (work) => {
      const changed = await countUnits(work, clientId, id, scan)
      const counted = found(await findCountScan(work.tx, clientId, id, scan.scanId))
      return { answer: { ...counted, repeated: !changed }, made: { after: counted }, changed }
    })
  })
}

async function placeOf(
  db: Database,
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
