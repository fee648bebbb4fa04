import Type, { type Static } from 'typebox'
import { givenTime } from '../../platform/kernel/schema.ts'

export const ReceiptDraftItem = Type.Object(
  {
    barcode: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Штрихкод: один штрихкод — одна строка.',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'Название; нужно, если товара ещё не было на складе и его нет в карточках ' +
          'подключённых кабинетов.',
      }),
    ),
    article: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Артикул продавца; если не указан, берётся известный сервису.',
      }),
    ),
    qty: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Сколько единиц заявлено.' }),
    honest_mark: Type.Boolean({
      description: 'Подлежит ли товар маркировке; одинаково для всех строк заявки.',
    }),
  },
  { additionalProperties: false, description: 'Строка заявки.' },
)

/** Of a seller's request. */
export const requestedLinesMax = 500

export const ReceiptDraft = Type.Object(
  {
    cabinet_id: Type.Optional(
      Type.String({
        description: 'Кабинет из GET /v1/me; обязателен, если кабинетов несколько.',
      }),
    ),
    external_ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Номер документа в вашей системе. Повтор с тем же номером, пока первая заявка ждёт ' +
          'подтверждения, вернёт её же, а не создаст вторую.',
      }),
    ),
    comment: Type.Optional(Type.String({ maxLength: 500, description: 'Комментарий.' })),
    planned_date: Type.Optional(
      givenTime('Плановая дата поставки: YYYY-MM-DD по Москве или время по RFC 3339.'),
    ),
    items: Type.Array(ReceiptDraftItem, {
      minItems: 1,
      maxItems: requestedLinesMax,
      description: 'Состав поставки.',
    }),
  },
  { $id: 'ReceiptDraft', additionalProperties: false, description: 'Заявка на приёмку.' },
)
export type ReceiptDraft = Static<typeof ReceiptDraft>
export type ReceiptDraftItem = Static<typeof ReceiptDraftItem>
