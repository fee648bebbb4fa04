import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import { lotNumberMax } from '../../../../platform/kernel/codes/lot.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { countScan, countScans } from '../../../../warehouse/receipts/counting.ts'
import type { HandheldScan } from '../../../../warehouse/receipts/scanned-line.ts'
import {
  findScan,
  listScans,
  ReceiptScan,
  ScanResult,
} from '../../../../warehouse/receipts/scans.ts'
import { receiptOwner } from '../../../../warehouse/receipts/staff-queries.ts'
import { undoScan } from '../../../../warehouse/receipts/undoing.ts'
import { openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages } from '../../../route/query.ts'
import { bodyOf, change, changeTogether } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { keptAnswer, type LateScan, queuedFields, runScan } from '../../queued-scans.ts'
import { lotIn } from '../goods/lot-fields.ts'
import { type ReceiptParams, receiptParams, viewerOf } from './receipts.ts'

export const ReceiptScanPage = pageSchema(ReceiptScan, 'ReceiptScanPage', 'Страница сканов.')

const scanIdMax = 200

export const ScanDraft = Type.Object(
  {
    scan_id: Type.String({
      minLength: 1,
      maxLength: scanIdMax,
      description: 'Номер скана от терминала: повтор с тем же номером ничего не меняет.',
    }),
    barcode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод строки приёмки.' }),
    ),
    marking_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'Код маркировки единицы, как его передал сканер. Строка находится по GTIN кода; если ' +
          'штрихкод товара внутренний, передайте и barcode.',
      }),
    ),
    qty: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        default: 1,
        description: 'Сколько единиц; у маркированных товаров только 1.',
      }),
    ),
    box_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Короб, в который кладут эти единицы: id или SSCC.',
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'Название товара, которого нет ни в приёмке, ни на складе, ни в карточках кабинетов: ' +
          'его вводит сотрудник. Для известных товаров не используется.',
      }),
    ),
    expires_on: Type.Optional(
      Type.String({
        maxLength: 20,
        description:
          'Срок годности этих единиц: 31.12.2027, 311227, 12.2027 или 2027-12-31. Для товаров, у которых он ' +
          'учитывается; без него читается из кода маркировки, а если его нет и там, срок неизвестен.',
      }),
    ),
    lot_number: Type.Optional(
      Type.String({
        maxLength: lotNumberMax,
        description: 'Номер партии с упаковки; только вместе с expires_on.',
      }),
    ),
    ...queuedFields,
  },
  {
    $id: 'ScanDraft',
    additionalProperties: false,
    description: 'Скан: нужен barcode или marking_code, или оба.',
  },
)

const scansQuery = query(shortPages)

export function addReceiptScans(app: FastifyInstance, dependencies: StaffDependencies): void {
  addScan(app, dependencies)
  addUndo(app, dependencies)
  addScanList(app, dependencies)
}

function addScan(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'scanReceipt',
    tag: 'Приёмка',
    summary: 'Посчитать единицы',
    description:
      'Единицы сразу попадают в остаток; сверх заявленного — под вопрос. Товар, которого в ' +
      'приёмке нет, получает в ней строку, где заявлено 0, и весь остаётся под вопросом, пока ' +
      'менеджер не решит; название берётся из товаров и карточек, а неизвестное — из name. Маркированные товары ' +
      'принимаются только по коду маркировки, по одной единице; один код принимается один раз ' +
      'на весь склад.',
    params: receiptParams,
    body: ScanDraft,
    answers: {
      200: { description: 'Посчитано, или уже было.', schema: named(ScanResult) },
      202: keptAnswer,
    },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  const count = changeTogether<HandheldScan, ScanResult>(dependencies, async (work, changes) => {
    const scans = changes.map(({ objectId, ...scan }) => ({ ...scan, receiptId: objectId }))
    const verdicts = await countScans(work, scans)
    return verdicts.map((verdict) => {
      if (verdict.kind !== 'done') return verdict
      const { result } = verdict
      return {
        kind: 'done',
        result: { answer: result, after: result.repeated ? undefined : result },
      }
    })
  })
  app.post<ReceiptParams>('/receipts/:id/scans', { schema }, async (request, reply) => {
    const { id } = request.params
    const draft = bodyOf(ScanDraft, request)
    const clientId = await receiptOwner(dependencies.db, id, viewerOf(request))
    const find = async () => {
      const scan = await findScan(dependencies.db, clientId, id, draft.scan_id)
      return scan && { ...scan, repeated: true }
    }
    const scan = handheldScanOf(draft)
    const run = () => count(request, { clientId, objectId: id, ...scan })
    const subject = { kind: 'receipt_scan', clientId, objectId: id } as const
    return runScan(dependencies, request, reply, { ...subject, draft, find, run })
  })
}

export const lateReceiptScan: LateScan<Static<typeof ScanDraft>> = (
  work,
  { clientId, objectId, draft },
) => countScan(work, clientId, objectId, handheldScanOf(draft))

function handheldScanOf(draft: Static<typeof ScanDraft>): HandheldScan {
  return {
    scanId: draft.scan_id,
    barcode: draft.barcode,
    markingCode: draft.marking_code,
    units: draft.qty,
    boxId: draft.box_id,
    name: draft.name,
    lot: lotIn(draft),
  }
}

function addUndo(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'undoReceiptScan',
    tag: 'Приёмка',
    summary: 'Отменить скан',
    description:
      'Пока приёмка идёт: единицы уходят из остатка и из короба, код маркировки можно принять ' +
      'снова. Повтор ничего не меняет; номер отменённого скана остаётся занятым.',
    params: { ...receiptParams, scan_id: 'Номер скана, который дал терминал.' },
    answers: { 200: { description: 'Отменён, или уже был.', schema: named(ScanResult) } },
    errors: ['not_found', 'conflict'],
  })
  app.post<{ Params: { id: string; scan_id: string } }>(
    '/receipts/:id/scans/:scan_id/undo',
    { schema },
    async (request) => {
      const { id, scan_id: scanId } = request.params
      const clientId = await receiptOwner(dependencies.db, id, viewerOf(request))
      return change(dependencies, request, { clientId, objectId: id }, async (work) => {
        const answer = await undoScan(work, clientId, id, scanId)
        return { answer, made: { after: answer }, changed: !answer.repeated }
      })
    },
  )
}

function addScanList(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listReceiptScans',
    tag: 'Приёмка',
    summary: 'Сканы приёмки',
    description: 'Сканы, новые первыми; отменённые тоже.',
    params: receiptParams,
    query: scansQuery,
    answers: { 200: { description: 'Страница.', schema: named(ReceiptScanPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<ReceiptParams>('/receipts/:id/scans', { schema }, async (request) => {
    const { id } = request.params
    const parameters = scansQuery.parse(rawQuery(request))
    const clientId = await receiptOwner(db, id, viewerOf(request))
    const list = openList(cursors, 'staff', 'receipt scans', parameters, { id })
    const page = await listScans(db, clientId, id, list.request)
    const nameOf = await actorNames(
      db,
      page.items.flatMap((scan) => [scan.scanned_by, scan.undone_by]),
    )
    const items = page.items.map((scan) => ({
      ...scan,
      scanned_by_name: nameOf(scan.scanned_by),
      undone_by_name: scan.undone_by === null ? null : nameOf(scan.undone_by),
    }))
    return list.answer({ ...page, items })
  })
}
