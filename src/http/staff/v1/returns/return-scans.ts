import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Database } from '../../../../platform/db/connection.ts'
import type { SharedWork } from '../../../../platform/db/work.ts'
import { excerpt, invalidField } from '../../../../platform/kernel/errors.ts'
import { named, oneOfValues } from '../../../../platform/kernel/schema.ts'
import { ownerOfReturnBatch } from '../../../../warehouse/returns/batch-queries.ts'
import {
  batchOfDayScan,
  ReturnScanResult,
  resultOfReturnScan,
} from '../../../../warehouse/returns/return-scans.ts'
import { clientsOfCode } from '../../../../warehouse/returns/scanned-code.ts'
import {
  type ScannedReturn,
  takeReturnIn,
  undoReturnScan,
} from '../../../../warehouse/returns/scanning.ts'
import { takeReturnsTogether } from '../../../../warehouse/returns/scanning-together.ts'
import { returnConditions } from '../../../../warehouse/returns/state.ts'
import { clientInBody } from '../../body-ids.ts'
import { bodyOf, change, changeTogether, type SharedChange } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { ownScope } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { keptAnswer, type LateScan, queuedFields, runScan } from '../../queued-scans.ts'
import { type ReturnParams, returnParams } from './returns.ts'

const scanFields = {
  scan_id: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Номер скана от терминала: повтор с тем же номером ничего не меняет.',
  }),
  code: Type.String({
    minLength: 1,
    maxLength: 1000,
    description:
      'Что угодно с единицы: номер или этикетка заказа, код маркировки, IMEI или УИН, этикетка ' +
      'возврата маркетплейса, штрихкод товара.',
  }),
  barcode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Штрихкод единицы, если code — номер заказа с разными товарами.',
    }),
  ),
  condition: oneOfValues(
    returnConditions,
    'sellable — можно продавать; damaged — повреждён, unknown — не осмотрен: они под вопросом.',
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Код причины из GET /reasons, вид correction. Без него у damaged — DAMAGED, у unknown — ' +
        'UNCHECKED_RETURN.',
    }),
  ),
}

export const ReturnScanDraft = Type.Object(
  { ...scanFields, ...queuedFields },
  {
    $id: 'ReturnScanDraft',
    additionalProperties: false,
    description: 'Единица, которая вернулась.',
  },
)

export const ReturnScanOfDayDraft = Type.Object(
  {
    ...scanFields,
    client_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Чей товар; нужен, если по коду этого не узнать, например у штрихкода.',
      }),
    ),
    ...queuedFields,
  },
  {
    $id: 'ReturnScanOfDayDraft',
    additionalProperties: false,
    description: 'Единица, которая вернулась, без номера приёма возвратов.',
  },
)

export function addReturnScans(app: FastifyInstance, dependencies: StaffDependencies): void {
  const takeIn = takingIn(dependencies)
  addReturnScan(app, dependencies, takeIn)
  addScanOfDay(app, dependencies, takeIn)
  addReturnUndo(app, dependencies)
}

type TakeIn = ReturnType<typeof takingIn>
type Changes = readonly SharedChange<ScannedReturn, string | undefined>[]

/** Scans of returns share transactions, those with a batch and those of the day alike. */
function takingIn(dependencies: StaffDependencies) {
  const takeAll = async (work: SharedWork, changes: Changes) => {
    const received = changes.map(({ objectId, ...scan }) => ({ ...scan, returnId: objectId }))
    const verdicts = await takeReturnsTogether(work, received)
    return verdicts.map((verdict) => {
      if (verdict.kind !== 'done') return verdict
      const { result } = verdict
      const { return_id: objectId } = result
      const after = result.repeated ? undefined : result
      return { kind: 'done', result: { answer: result, objectId, after } } as const
    })
  }
  return changeTogether<ScannedReturn, ReturnScanResult, string | undefined>(dependencies, takeAll)
}

const draftOf = (body: Static<typeof ReturnScanDraft>): ScannedReturn => ({
  scanId: body.scan_id,
  code: body.code,
  barcode: body.barcode,
  condition: body.condition,
  reason: body.reason,
})

const whatHappens =
  'Единица сразу попадает в остаток; повреждённая и неосмотренная — ещё и под вопрос. Возвращается не ' +
  'больше, чем уехало. Код маркировки и IMEI снова свободны для заказа.'

function addReturnScan(
  app: FastifyInstance,
  dependencies: StaffDependencies,
  takeIn: TakeIn,
): void {
  const schema = staffOperation({
    id: 'scanReturn',
    tag: 'Возвраты',
    summary: 'Принять единицу',
    description: whatHappens,
    params: returnParams,
    body: ReturnScanDraft,
    answers: {
      200: { description: 'Принята, или уже была.', schema: named(ReturnScanResult) },
      202: keptAnswer,
    },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<ReturnParams>('/returns/:id/scans', { schema }, async (request, reply) => {
    const { id } = request.params
    const draft = bodyOf(ReturnScanDraft, request)
    const { db } = dependencies
    const clientId = await ownerOfReturnBatch(db, id)
    const find = () => resultOfReturnScan(db, clientId, id, draft.scan_id, true)
    const run = () => takeIn(request, { clientId, objectId: id, ...draftOf(draft) })
    const subject = { kind: 'return_scan', clientId, objectId: id } as const
    return runScan(dependencies, request, reply, { ...subject, draft, find, run })
  })
}

function addScanOfDay(app: FastifyInstance, dependencies: StaffDependencies, takeIn: TakeIn): void {
  const schema = staffOperation({
    id: 'scanReturnOfDay',
    tag: 'Возвраты',
    summary: 'Принять единицу без номера приёма',
    description: `Находит клиента по коду и открывает приём возвратов на сегодня сам. ${whatHappens}`,
    body: ReturnScanOfDayDraft,
    answers: {
      200: { description: 'Принята, или уже была.', schema: named(ReturnScanResult) },
      202: keptAnswer,
    },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/returns/scans', { schema }, async (request, reply) => {
    const { db } = dependencies
    const draft = bodyOf(ReturnScanOfDayDraft, request)
    const clientId = await clientOf(db, request, draft)
    const find = async () => {
      const batch = await batchOfDayScan(db, clientId, draft.scan_id)
      return batch && resultOfReturnScan(db, clientId, batch, draft.scan_id, true)
    }
    const run = () => takeIn(request, { clientId, objectId: undefined, ...draftOf(draft) })
    const subject = { kind: 'return_scan_of_day', clientId, objectId: clientId } as const
    return runScan(dependencies, request, reply, { ...subject, draft, find, run })
  })
}

export const lateReturnScan: LateScan<Static<typeof ReturnScanDraft>> = (
  work,
  { clientId, objectId, draft },
) => takeReturnIn(work, clientId, objectId, draftOf(draft))

export const lateReturnScanOfDay: LateScan<Static<typeof ReturnScanOfDayDraft>> = (
  work,
  { clientId, draft },
) => takeReturnIn(work, clientId, undefined, draftOf(draft))

async function clientOf(
  db: Database,
  request: FastifyRequest,
  { client_id: id, code }: Pick<Static<typeof ReturnScanOfDayDraft>, 'client_id' | 'code'>,
): Promise<string> {
  if (id !== undefined) return clientInBody(db, request, id)
  const [one, other] = await clientsOfCode(db, code, ownScope(request).warehouses)
  if (one === undefined) {
    throw invalidField('code', `на складе не знают кода ${excerpt(code)}: чей это товар?`)
  }
  if (other !== undefined) {
    throw invalidField('client_id', 'такой код есть у нескольких клиентов: укажите, чей это товар')
  }
  return one
}

function addReturnUndo(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'undoReturnScan',
    tag: 'Возвраты',
    summary: 'Отменить скан возврата',
    description:
      'Пока приём возвратов открыт: единица уходит из остатка, её коды снова заняты заказом. Повтор ' +
      'ничего не меняет; номер отменённого скана остаётся занятым.',
    params: { ...returnParams, scan_id: 'Номер скана, который дал терминал.' },
    answers: { 200: { description: 'Отменён, или уже был.', schema: named(ReturnScanResult) } },
    errors: ['not_found', 'conflict'],
  })
  app.post<{ Params: { id: string; scan_id: string } }>(
    '/returns/:id/scans/:scan_id/undo',
    { schema },
    async (request) => {
      const { id, scan_id: scanId } = request.params
      const clientId = await ownerOfReturnBatch(dependencies.db, id)
      return change(dependencies, request, { clientId, objectId: id }, async (work) => {
        const answer = await undoReturnScan(work, clientId, id, scanId)
        return { answer, made: { after: answer }, changed: !answer.repeated }
      })
    },
  )
}
