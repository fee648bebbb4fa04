import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorMessages } from '../../../platform/kernel/errors.ts'
import { named } from '../../../platform/kernel/schema.ts'
import {
  AccountAnnouncement,
  type ChangedRequest,
  changeRequest,
  findAnnouncement,
  withdrawRequest,
} from '../../../warehouse/receipts/change-request.ts'
import { ReceiptDraft } from '../../../warehouse/receipts/draft.ts'
import { Receipt } from '../../../warehouse/receipts/view.ts'
import { sellersBody } from '../../public/request-body.ts'
import {
  refuseReadOnlyCallers,
  refuseWithoutDatabase,
  requestErrors,
} from '../../public/v1/receipts.ts'
import { type MadeChange, performAs, requesterOn } from '../../route/caller-changes.ts'
import { callerOf } from '../../route/gate.ts'
import { found, knownId } from '../../route/list.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** What a seller may still do with a request of its own that no manager has confirmed. */

type One = { Params: { id: string } }
const params = { id: 'Идентификатор приёмки.' }
const taken = 'Менеджер уже подтвердил её, или она заявлена не в личном кабинете.'
const guarded = { onRequest: refuseReadOnlyCallers, errorHandler: refuseWithoutDatabase }

export function addAccountAnnouncements(
  app: FastifyInstance,
  dependencies: AccountDependencies,
): void {
  const findSchema = accountOperation({
    id: 'getAccountAnnouncement',
    tag: 'Приёмки',
    summary: 'Можно ли изменить заявку',
    description: 'Заявку, сделанную в личном кабинете, можно изменить и отозвать до подтверждения.',
    params,
    answers: { 200: { description: 'Что можно.', schema: named(AccountAnnouncement) } },
    errors: ['not_found'],
  })
  app.get<One>('/receipts/:id/announcement', { schema: findSchema }, async (request) => {
    const { clientId } = visitorOn(request)
    return found(await findAnnouncement(dependencies.db, clientId, knownId(request.params.id)))
  })
  addChange(app, dependencies)
  addWithdrawal(app, dependencies)
}

function addChange(app: FastifyInstance, dependencies: AccountDependencies): void {
  const schema = accountOperation({
    id: 'changeAccountReceipt',
    tag: 'Приёмки',
    summary: 'Изменить заявку',
    description:
      'Новая версия заявки целиком, по правилам новой. Пока менеджер не подтвердил её и если она сделана в личном кабинете. ' +
      'Номер приёмки остаётся, журнал хранит все версии. Повтор той же версии ничего не меняет.',
    params,
    body: ReceiptDraft,
    answers: { 200: { description: 'Изменена.', schema: named(Receipt) } },
    errors: [...requestErrors, 'not_found', 'conflict'],
    messages: { conflict: `${errorMessages.conflict}: ${taken}` },
  })
  app.put<One>('/receipts/:id', { schema, ...guarded }, async (request) => {
    const draft = sellersBody(ReceiptDraft, request)
    const id = knownId(request.params.id)
    const verb = (work: Parameters<typeof changeRequest>[0]) =>
      changeRequest(work, requesterOn(request), id, draft)
    return (await performAs(dependencies, request, verb, describe)).receipt
  })
}

function addWithdrawal(app: FastifyInstance, dependencies: AccountDependencies): void {
  const schema = accountOperation({
    id: 'withdrawAccountReceipt',
    tag: 'Приёмки',
    summary: 'Отозвать заявку',
    description:
      'То же, что отмена менеджером: приёмка завершается с расхождением, не принято ничего. Пока менеджер не подтвердил её ' +
      'и если она сделана в личном кабинете. Повтор ничего не меняет.',
    params,
    answers: { 200: { description: 'Отозвана.', schema: named(Receipt) } },
    errors: ['warehouse_unavailable', 'write_disabled', 'not_found', 'conflict'],
    messages: { conflict: `${errorMessages.conflict}: ${taken}` },
  })
  app.post<One>(
    '/receipts/:id/withdraw',
    { schema, ...guarded },
    async (request: FastifyRequest<One>) => {
      const id = knownId(request.params.id)
      const { clientId } = callerOf(request)
      const verb = (work: Parameters<typeof withdrawRequest>[0]) =>
        withdrawRequest(work, clientId, id)
      return (await performAs(dependencies, request, verb, describe)).receipt
    },
  )
}

function describe({ receipt, before }: ChangedRequest): MadeChange {
  return { objectId: receipt.id, before: shownOf(before), after: shownOf(receipt) }
}

const shownOf = ({ status, external_ref, expected_qty, items = [] }: Receipt) => ({
  status,
  external_ref,
  expected_qty,
  lines: items.length,
})
