import { type ErrorCode, errorMessages, publicErrors } from '../../platform/kernel/errors.ts'
import { describer } from '../route/operation.ts'

/** Of the account's own routes; the mounted ones bring theirs. */
export const accountTags = [
  {
    name: 'Вход',
    description: 'Кто вошёл, чьи данные показаны, открытые входы, одноразовые коды.',
  },
  { name: 'Пользователи', description: 'Кто работает с данными клиента.' },
  { name: 'Уведомления', description: 'Что вам сообщить, куда и когда.' },
  { name: 'Ключи', description: 'Ключи программ клиента и их вызовы.' },
  {
    name: 'Продажи',
    description: 'Что заказали покупатели, что отгружено и вернулось, в единицах.',
  },
  { name: 'Деньги', description: 'Что склад начислил и за что, и акты.' },
  { name: 'Остатки', description: 'Сколько товара на складе.' },
  { name: 'Приёмки', description: 'Поставки на склад: заявка и приёмка.' },
  { name: 'Заказы', description: 'Заказы покупателей.' },
  { name: 'Отгрузки', description: 'Передача собранных заказов маркетплейсу.' },
  { name: 'Возвраты', description: 'Что вернулось на склад.' },
  { name: 'События', description: 'Лента изменений.' },
  { name: 'Вебхуки', description: 'Подписки и их доставки.' },
] as const

export type AccountErrorCode = Extract<
  ErrorCode,
  keyof typeof publicErrors | 'forbidden' | 'conflict' | 'unavailable'
>

export const accountErrors = {
  ...publicErrors,
  forbidden: errorMessages.forbidden,
  conflict: errorMessages.conflict,
  unavailable: errorMessages.unavailable,
}

export const notInAccount = 'Войдите: POST /account/v1/session'
export const sessionEnded = 'Вход закончился, войдите снова'

/** Makes the schema of a route of the account's own. */
export const accountOperation = describer<(typeof accountTags)[number]['name'], AccountErrorCode>({
  errors: ['unauthorized', 'forbidden', 'rate_limited', 'internal', 'unavailable'],
  openErrors: ['forbidden', 'internal', 'unavailable'],
  security: [{ session: [] }],
  headers: {},
  queryHeaders: {},
  messages: { unauthorized: notInAccount },
  example: () => undefined,
})
