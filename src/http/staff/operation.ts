import type { ErrorCode } from '../../platform/kernel/errors.ts'
import type { CallExample } from '../openapi/request-examples.ts'
import { describer } from '../route/operation.ts'
import gathered from './examples.json' with { type: 'json' }
import { notSignedIn } from './gate.ts'

/**
 * Examples of the staff API's reference: answers of a running service to a day of a small warehouse. `npm run examples`
 * gathers them in examples.json; a test compares them with what the service answers.
 */
export const staffExamples: Readonly<Record<string, CallExample | undefined>> = gathered

export const staffTags = [
  { name: 'Сегодня', description: 'Что ждёт внимания склада.' },
  { name: 'Вход', description: 'Кто работает: сессии, пользователи, токены.' },
  { name: 'Настройки', description: 'Склады, переключатели, справочники причин.' },
  { name: 'Клиенты', description: 'Юридические лица, кабинеты, ключи, товары.' },
  { name: 'Приёмка', description: 'От заявки до полки.' },
  { name: 'Хранение', description: 'Места, паллеты, короба, этикетки.' },
  { name: 'Остатки', description: 'Корректировки, списания, расследования, показатели.' },
  { name: 'Заказы', description: 'Заказы всех клиентов.' },
  { name: 'Сборка', description: 'Отгрузки и задания на сборку.' },
  { name: 'Возвраты', description: 'Что возвращается и что вернулось.' },
  { name: 'Бумаги', description: 'Акты и листы для печати.' },
  { name: 'Деньги', description: 'Тарифы, начисления, акты.' },
  { name: 'Журналы', description: 'Вызовы, заявки, изменения, попытки доставки.' },
] as const

/** Makes the schema of a route of the staff API. */
export const staffOperation = describer<(typeof staffTags)[number]['name'], ErrorCode>({
  errors: ['unauthorized', 'forbidden', 'internal', 'unavailable'],
  openErrors: ['internal', 'unavailable'],
  security: [{ session: [] }, { bearer: [] }],
  headers: {},
  queryHeaders: {},
  messages: { unauthorized: notSignedIn },
  example: (operationId, status) => staffExamples[operationId]?.answers[status],
})
