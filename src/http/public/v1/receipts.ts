import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUnavailable } from '../../../platform/db/connections/errors.ts'
import { badRequest, errorMessages, ServiceError } from '../../../platform/kernel/errors.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { ReceiptDraft } from '../../../warehouse/receipts/draft.ts'
import { type OwnTransaction, openReceiptIntake } from '../../../warehouse/receipts/intake.ts'
import { findReceipt, listReceipts } from '../../../warehouse/receipts/queries.ts'
import type { RequestedReceipt } from '../../../warehouse/receipts/request.ts'
import { receiptStatuses } from '../../../warehouse/receipts/state.ts'
import { Receipt } from '../../../warehouse/receipts/view.ts'
import { type ChangeDependencies, performAs, requesterOn } from '../../route/caller-changes.ts'
import { callerOf } from '../../route/gate.ts'
import { found, knownId, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { oneOf, query, range, shortPages, text, time } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'
import { sellersBody } from '../request-body.ts'

export const ReceiptPage = pageSchema(Receipt, 'ReceiptPage', 'Страница приёмок.')

export const receiptFilters = {
  status: oneOf(receiptStatuses, { description: 'Состояние; без него — все.' }),
  external_ref: text({
    description: 'Точный номер документа из вашей заявки. Сверх спецификации 1.1.',
  }),
  created_from: time({ description: 'Созданы не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Созданы раньше этого времени.' }),
}
const receiptsQuery = query({ ...receiptFilters, ...shortPages })

/** What a request of a receipt may be refused with. */
export const requestErrors = [
  'bad_request',
  'validation_error',
  'cabinet_required',
  'mixed_marking',
  'warehouse_unavailable',
  'write_disabled',
] as const

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

function addReceiptRequest(app: FastifyInstance, dependencies: PublicDependencies): void {
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
    requestHeaders: { 'Idempotency-Key': aboutIdempotencyKey },
    body: ReceiptDraft,
    answers: {
      201: { description: 'Заявка принята.', schema: named(Receipt) },
      200: {
        description: 'Такая заявка уже ждёт подтверждения, или её Idempotency-Key уже приходил.',
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
    errors: requestErrors,
    messages: {
      mixed_marking:
        'Товары с маркировкой и без неё передавайте двумя заявками с разными external_ref: ' +
        'honest_mark true — items[1]; false — items[0]',
    },
  })
  const intake = openReceiptRequests(dependencies)
  const options = {
    schema,
    config: { keepsRefusals: true },
    onRequest: refuseReadOnlyCallers,
    errorHandler: refuseWithoutDatabase,
  }
  app.post('/receipts', options, async (request, reply) => {
    const draft = sellersBody(ReceiptDraft, request)
    const idempotencyKey = draft.external_ref === undefined ? idempotencyKeyOf(request) : undefined
    const { receipt, created, ignored } = await intake(request, draft, idempotencyKey)
    if (ignored.length > 0) reply.header('X-Ignored-Changes', ignored.join(', '))
    return reply.code(created ? 201 : 200).send(receipt)
  })
}

const aboutIdempotencyKey =
  'Номер этого запроса, если external_ref не передан: от 1 до 255 видимых знаков ASCII, например UUID. Повтор с тем же ' +
  'ключом и телом вернёт ту же приёмку с кодом 200 и не создаст вторую, с другим телом — bad_request. Ключ действует ' +
  'всегда, в песочнице — до её сброса. Рядом с external_ref не учитывается. Сверх спецификации 1.1.'

/** Throws bad_request. */
function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key))) return key
  throw badRequest(
    'Заголовок Idempotency-Key: нужен один ключ из 1–255 видимых знаков ASCII без пробелов, например UUID',
  )
}

export async function refuseReadOnlyCallers(request: FastifyRequest): Promise<void> {
  if (!callerOf(request).receiptsEnabled) throw new ServiceError('write_disabled')
}

/**
 * Where the database was not there before anything was committed, admission included, the caller may
 * repeat the request without care.
 */
export function refuseWithoutDatabase(error: unknown): never {
  if (!isUnavailable(error)) throw error
  throw new ServiceError('warehouse_unavailable', undefined, { cause: error })
}

/**
 * How requests of receipts are taken in. Requests of programs share transactions. A request of a seller's user has one of
 * its own, which also checks the session. So has one of a sandbox, which must not keep live clients waiting for its locks.
 */
export function openReceiptRequests(dependencies: ChangeDependencies) {
  const { db, clock, turns } = dependencies
  const intake = openReceiptIntake(db, clock, (clientId) => turns.of({ clientId, mode: 'live' }))
  return (
    request: FastifyRequest,
    draft: ReceiptDraft,
    idempotencyKey?: string,
  ): Promise<RequestedReceipt> => {
    const mayShare = request.witness === undefined && callerOf(request).mode === 'live'
    const own: OwnTransaction = (verbs) =>
      performAs(dependencies, request, verbs, ({ receipt, created }) => ({
        objectId: receipt.id,
        after: { created, lines: draft.items.length },
      }))
    const asked = { requester: requesterOn(request), draft, idempotencyKey }
    return intake(asked, mayShare ? undefined : own)
  }
}
