import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  keyRequestsOfToday,
  TodayKeyRequests,
  waitingKeyRequests,
} from '../../../../identity/keys/today-key-requests.ts'
import { covers } from '../../../../identity/staff/roles.ts'
import { countRows } from '../../../../platform/db/lists/count-rows.ts'
import { count, named } from '../../../../platform/kernel/schema.ts'
import { cabinetsWithProblems } from '../../../../warehouse/clients/today-cabinets.ts'
import { openCounts } from '../../../../warehouse/counts/today-counts.ts'
import { openExceptions } from '../../../../warehouse/exceptions/today-exceptions.ts'
import { openMisses } from '../../../../warehouse/picking/today-misses.ts'
import { receiptsToDecide } from '../../../../warehouse/receipts/today-receipts.ts'
import { receiptsToCount } from '../../../../warehouse/receipts/today-receiving.ts'
import { openReturns } from '../../../../warehouse/returns/today-returns.ts'
import { openShipments } from '../../../../warehouse/shipments/today-shipments.ts'
import { rawQuery } from '../../../route/list.ts'
import { query } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { scopeParameters, seenInScope, todayScope } from './today-scope.ts'

const WaitingCounters = Type.Object(
  {
    receiving: count('Приёмки, которые считают или ждут.'),
    shipments: count('Отгрузки, которые собирают.'),
    returns: count('Открытые партии возвратов.'),
    counts: count('Начатые пересчёты.'),
    receipts: Type.Optional(count('Приёмки, которые ждут решения менеджера.')),
    exceptions: Type.Optional(count('Исключения без решения.')),
    misses: Type.Optional(count('Ненайденные товары без решения.')),
    cabinets: Type.Optional(count('Кабинеты, которые ждут внимания.')),
    key_requests: Type.Optional(count('Заявки на ключи API, которые ждут решения.')),
  },
  { $id: 'WaitingCounters', description: 'Сколько чего ждёт.' },
)

const countersQuery = query(scopeParameters)

/** Each part reads only what is open, by an index of its own. */
export function addCounters(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getCounters',
    tag: 'Сегодня',
    summary: 'Сколько чего ждёт',
    description:
      'Числа для меню: те же, что `total` разделов getToday, одним коротким запросом. `receipts`, `exceptions`, `misses`, ' +
      '`cabinets` и `key_requests` видят менеджеры.',
    query: countersQuery,
    answers: { 200: { description: 'Числа.', schema: named(WaitingCounters) } },
    errors: ['bad_request'],
  })
  app.get('/counters', { schema }, async (request) => {
    const scope = todayScope(request, countersQuery.parse(rawQuery(request)))
    const seen = seenInScope(db, scope)
    const work = {
      receiving: receiptsToCount(db, seen),
      shipments: openShipments(db, seen),
      returns: openReturns(db, seen),
      counts: openCounts(db, seen),
    }
    if (!covers(memberOn(request).role, 'manager')) return countRows(db, work)
    return countRows(db, {
      ...work,
      receipts: receiptsToDecide(db, seen),
      exceptions: openExceptions(db, seen),
      misses: openMisses(db, seen),
      cabinets: cabinetsWithProblems(db, seen),
      key_requests: waitingKeyRequests(db, seen),
    })
  })
}

/** One section of Today, for the page of the clients. */
export function addWaitingKeyRequests(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listWaitingKeyRequests',
    tag: 'Клиенты',
    summary: 'Заявки на ключи, которые ждут',
    description:
      'Заявки всех клиентов, сначала самые давние: те же, что `key_requests` в getToday.',
    query: countersQuery,
    answers: { 200: { description: 'Заявки.', schema: named(TodayKeyRequests) } },
    errors: ['bad_request'],
  })
  app.get('/key-requests', { schema, config: { role: 'manager' } }, (request) => {
    const scope = todayScope(request, countersQuery.parse(rawQuery(request)))
    return keyRequestsOfToday(db, seenInScope(db, scope))
  })
}
