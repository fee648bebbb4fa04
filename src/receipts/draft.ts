import Type, { type Static } from 'typebox'
import { ApiError, invalidField } from '../kernel/errors.ts'
import { parsePlannedDate } from '../kernel/moscow-time.ts'

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
      Type.String({
        description: 'Плановая дата поставки: YYYY-MM-DD по Москве или время по RFC 3339.',
      }),
    ),
    items: Type.Array(ReceiptDraftItem, {
      minItems: 1,
      maxItems: 500,
      description: 'Состав поставки.',
    }),
  },
  { $id: 'ReceiptDraft', additionalProperties: false, description: 'Заявка на приёмку.' },
)
export type ReceiptDraft = Static<typeof ReceiptDraft>
export type ReceiptDraftItem = Static<typeof ReceiptDraftItem>

/** One barcode is one line: the second of a pair is refused. Throws validation_error. */
export function refuseRepeatedBarcodes(items: readonly { barcode: string }[]): void {
  const seen = new Set<string>()
  for (const [index, { barcode }] of items.entries()) {
    if (seen.has(barcode)) {
      throw invalidField(`items[${index}].barcode`, `штрихкод ${barcode} уже есть в этой заявке`)
    }
    seen.add(barcode)
  }
}

/** Marked and unmarked goods are counted in different ways, so one request has one kind of them. */
export function refuseMixedMarking(items: readonly { honest_mark: boolean }[]): void {
  const marked = items[0]?.honest_mark
  if (items.some((item) => item.honest_mark !== marked)) throw new ApiError('mixed_marking')
}

/** The Moscow date of a planned delivery, YYYY-MM-DD. Throws validation_error. */
export function readPlannedDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const date = parsePlannedDate(text)
  if (!date.ok) throw invalidField('planned_date', 'дата YYYY-MM-DD или время по RFC 3339')
  return date.date
}
