import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { listWebhooks } from '../../../exchange/webhooks/queries.ts'
import { Webhook } from '../../../exchange/webhooks/view.ts'
import { countUnseenKeys } from '../../../identity/keys/key-requests.ts'
import { midnight, moscowDate, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { count, moment, named } from '../../../platform/kernel/schema.ts'
import { CabinetInNeed, cabinetsInNeed } from '../../../warehouse/clients/cabinets-in-need.ts'
import { TodayUncovered, uncoveredOfClient } from '../../../warehouse/orders/today-uncovered.ts'
import { listReceipts } from '../../../warehouse/receipts/queries.ts'
import { Receipt } from '../../../warehouse/receipts/view.ts'
import { countExpiringGoods } from '../../../warehouse/stock/lot-queries.ts'
import { countStock } from '../../../warehouse/stock/queries.ts'
import { inQuestionTotals } from '../../../warehouse/stock/units-in-question.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

const receiptDays = 30
const receiptsShown = 5

export const Attention = Type.Object(
  {
    cabinets: Type.Array(named<CabinetInNeed>(CabinetInNeed), {
      description:
        'Кабинеты, чьи ключи, данные или склады ждут продавца, сначала с непринятым ключом.',
    }),
    webhooks: Type.Array(named<Webhook>(Webhook), { description: 'Отключённые вебхуки.' }),
    receipts: Type.Object(
      {
        since: moment(`С какого времени: за ${receiptDays} дней.`),
        total: count('Сколько приёмок закончились с расхождением.'),
        items: Type.Array(named<Receipt>(Receipt), {
          description: `Последние из них, не больше ${receiptsShown}, без строк.`,
        }),
      },
      { description: 'Приёмки с расхождением.' },
    ),
    uncovered: TodayUncovered,
    in_question: Type.Object(
      { goods: count('Сколько товаров.'), units: count('Сколько единиц.') },
      { description: 'Товары под вопросом.' },
    ),
    expiring: count('У скольких товаров срок годности истёк или скоро истечёт.'),
    shows_more: count('Скольких товаров маркетплейс показывает больше, чем доступно.'),
    keys_to_see: count('Сколько выпущенных ключей ждёт, что владелец посмотрит их значение.'),
  },
  { $id: 'Attention', description: 'Что ждёт продавца.' },
)

export function addAccountAttention(
  app: FastifyInstance,
  { db, clock }: AccountDependencies,
): void {
  const schema = accountOperation({
    id: 'getAccountAttention',
    tag: 'Вход',
    summary: 'Что ждёт вас',
    description:
      'Кабинеты с истекающими и непринятыми ключами, сбоем обмена или без выбора складов, отключённые ' +
      'вебхуки, приёмки с расхождением, товары, которых не хватает для заказов, товары под вопросом, с истекающим сроком и те, которых ' +
      'маркетплейс показывает больше, чем доступно, и выпущенные ключи, которых никто не видел.',
    answers: { 200: { description: 'По разделам.', schema: named(Attention) } },
  })
  app.get('/attention', { schema }, async (request) => {
    const { clientId } = visitorOn(request)
    const since = midnight(moscowDate(clock.now() - receiptDays * 86_400_000))
    const filter = {
      status: 'RECEIVED_WITH_DISCREPANCY',
      created_from: since,
      created_to: undefined,
    } as const
    const [
      cabinets,
      webhooks,
      receipts,
      uncovered,
      in_question,
      expiring,
      shows_more,
      keys_to_see,
    ] = await Promise.all([
      cabinetsInNeed(db, clientId),
      listWebhooks(db, clientId),
      listReceipts(db, clientId, filter, { limit: receiptsShown, after: undefined }),
      uncoveredOfClient(db, clientId, clock.now()),
      inQuestionTotals(db, clientId),
      countExpiringGoods(db, clientId, moscowDate(clock.now())),
      countStock(db, clientId, {
        selection: 'shows_more',
        barcode: undefined,
        search: undefined,
      }),
      countUnseenKeys(db, clientId),
    ])
    return {
      cabinets,
      webhooks: webhooks.filter(({ active }) => !active),
      receipts: { since: toTimestamp(since), total: receipts.total, items: receipts.items },
      uncovered,
      in_question,
      expiring,
      shows_more,
      keys_to_see,
    }
  })
}
