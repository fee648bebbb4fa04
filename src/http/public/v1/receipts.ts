import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../../db/connection.ts'
import { inTime, isUnavailable } from '../../../db/in-time.ts'
import { perform } from '../../../db/work.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { errorMessages, ServiceError } from '../../../kernel/errors.ts'
import { named } from '../../../kernel/schema.ts'
import { ReceiptDraft } from '../../../receipts/draft.ts'
import { findReceipt, listReceipts } from '../../../receipts/queries.ts'
import {
  isRequestRecorded,
  type RequestedReceipt,
  type Requester,
  requestReceipt,
} from '../../../receipts/request.ts'
import { receiptStatuses } from '../../../receipts/state.ts'
import { Receipt } from '../../../receipts/view.ts'
import { callerOf } from '../../gate.ts'
import { found, knownId, openList, pageSchema, rawQuery } from '../../list.ts'
import { cursorText, limit, oneOf, query, range, text, time } from '../../query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'
import { sellersBody } from '../request-body.ts'

export const ReceiptPage = pageSchema(Receipt, 'ReceiptPage', 'Страница приёмок.')

const receiptsQuery = query({
  status: oneOf(receiptStatuses, { description: 'Состояние; без него — все.' }),
  external_ref: text({
    description: 'Точный номер документа из вашей заявки. Сверх спецификации 1.1.',
  }),
  created_from: time({ description: 'Созданы не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Созданы раньше этого времени.' }),
  limit: limit({ default: 50, max: 200 }),
  cursor: cursorText(),
})

/** The same words for every id that is none of the client's. */
const whichId = 'нужен id из ответа сервиса; по вашему номеру ищет GET /v1/receipts?external_ref='

export function addReceipts(app: FastifyInstance, dependencies: PublicDependencies): void {
  addReceiptReads(app, dependencies)
  addReceiptRequest(app, dependencies)
}

function addReceiptReads(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const listSchema = publicOperation({
    id: 'listReceipts',
    tag: 'Приёмки',
    summary: 'Приёмки',
    description: 'Приёмки, новые первыми, без состава.',
    query: receiptsQuery,
    answers: { 200: { description: 'Страница приёмок.', schema: named(ReceiptPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/receipts', { schema: listSchema }, async (request) => {
    const { clientId } = callerOf(request)
    const { limit, cursor, ...filter } = receiptsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, clientId, 'receipts', { limit, cursor }, filter)
    return list.answer(await listReceipts(db, clientId, filter, list.request))
  })

  const receiptSchema = publicOperation({
    id: 'getReceipt',
    tag: 'Приёмки',
    summary: 'Одна приёмка',
    description: 'Приёмка по id, вместе с составом.',
    params: { id: 'Идентификатор приёмки.' },
    answers: { 200: { description: 'Приёмка с составом.', schema: named(Receipt) } },
    errors: ['not_found'],
    messages: { not_found: `${errorMessages.not_found}: ${whichId}` },
  })
  app.get<{ Params: { id: string } }>(
    '/receipts/:id',
    { schema: receiptSchema },
    async (request) => {
      const id = knownId(request.params.id, whichId)
      return found(await findReceipt(db, callerOf(request).clientId, id), whichId)
    },
  )
}

/**
 * How long a request waits for its lock and the database before it answers warehouse_unavailable.
 */
const intakeTimeoutMs = 5_000

function addReceiptRequest(app: FastifyInstance, { db, clock }: PublicDependencies): void {
  const schema = publicOperation({
    id: 'createReceipt',
    tag: 'Приёмки',
    summary: 'Заявить поставку',
    description:
      'Заявка на приёмку. Ждёт подтверждения менеджером; до него склад её не видит. Повтор с тем же ' +
      'external_ref, пока заявка ждёт, вернёт её же с кодом 200. После подтверждения он создаст вторую ' +
      'приёмку: если ответа долго не было, сначала проверьте GET /v1/receipts?external_ref=…. ' +
      'Другой состав в повторе не применяется: изменить отправленную заявку нельзя, а что отличается, ' +
      'называет заголовок X-Ignored-Changes.',
    body: ReceiptDraft,
    answers: {
      201: { description: 'Заявка принята.', schema: named(Receipt) },
      200: {
        description: 'Такая заявка уже ждёт подтверждения.',
        schema: named(Receipt),
        headers: {
          'X-Ignored-Changes': {
            type: 'string',
            description:
              'Поля, в которых повтор отличается от первой заявки: они не применены. Если ничего не ' +
              'отличается, заголовка нет. Сверх спецификации 1.1.',
          },
        },
      },
    },
    errors: [
      'bad_request',
      'validation_error',
      'cabinet_required',
      'mixed_marking',
      'warehouse_unavailable',
      'write_disabled',
    ],
    messages: {
      mixed_marking:
        'Товары с маркировкой и без неё передавайте двумя заявками с разными external_ref: ' +
        'honest_mark true — items[1]; false — items[0]',
    },
  })
  const options = { schema, onRequest: refuseReadOnlyKeys, errorHandler: refuseWithoutDatabase }
  app.post('/receipts', options, async (request, reply) => {
    const { clientId, keyId } = callerOf(request)
    const draft = sellersBody(ReceiptDraft, request)
    const requester = { clientId, keyId, requestId: request.id }
    const { receipt, created, ignored } = await createReceipt(db, clock, requester, draft)
    if (ignored.length > 0) reply.header('X-Ignored-Changes', ignored.join(', '))
    return reply.code(created ? 201 : 200).send(receipt)
  })
}

async function refuseReadOnlyKeys(request: FastifyRequest): Promise<void> {
  if (!callerOf(request).receiptsEnabled) throw new ServiceError('write_disabled')
}

/**
 * Where the database was not there before anything was committed, admission included, the caller may
 * repeat the request without care.
 */
function refuseWithoutDatabase(error: unknown): never {
  if (!isUnavailable(error)) throw error
  throw new ServiceError('warehouse_unavailable', undefined, { cause: error })
}

/**
 * Creates the receipt. If the connection is lost during the commit, the journal shows whether the request
 * was committed; if the journal cannot be read either, the answer is an internal error, which promises
 * nothing.
 */
async function createReceipt(
  db: Database,
  clock: Clock,
  requester: Requester,
  draft: ReceiptDraft,
): Promise<RequestedReceipt> {
  let uncommitted: RequestedReceipt | undefined
  try {
    return await perform(db, clock, { kind: 'key', keyId: requester.keyId }, (work) => {
      uncommitted = undefined
      return inTime(work.tx, intakeTimeoutMs, async () => {
        uncommitted = await requestReceipt(work, requester, draft)
        return uncommitted
      })
    })
  } catch (error) {
    if (!isUnavailable(error) || uncommitted === undefined) throw error
    if (await isRequestRecorded(db, requester).catch(() => false)) return uncommitted
    throw new Error('the commit of a receipt request got no answer', { cause: error })
  }
}
