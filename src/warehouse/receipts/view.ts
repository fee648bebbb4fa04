import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  named,
  oneOfValues,
  type Shown,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import { otherBarcodes } from '../catalogue/other-barcodes.ts'
import { pictureOfGoods } from '../catalogue/pictures.ts'
import { type ReceiptStatus, receiptStatuses, receiptStatusLabels } from './state.ts'

export const receiptSources = ['api', 'file', 'manual'] as const
export type ReceiptSource = (typeof receiptSources)[number]

export const ReceiptItem = Type.Object(
  {
    barcode: Type.String({ description: 'Штрихкод.' }),
    article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
    name: Type.String({ description: 'Название.' }),
    honest_mark: Type.Optional(
      Type.Boolean({
        description:
          'Товар подлежит обязательной маркировке: каждая единица принимается по коду маркировки.',
      }),
    ),
    expected_qty: count('Заявлено единиц.'),
    accepted_qty: count('Принято и посчитано единиц.'),
    discrepancy_qty: count('Не хватает единиц; 0, пока приёмка не завершена.'),
    shortage_reason: Type.Optional(
      Type.String({
        description: 'Причина недостачи из пополняемого списка; без недостачи поля нет.',
      }),
    ),
  },
  { $id: 'ReceiptItem', description: 'Строка приёмки.' },
)

export const Receipt = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор приёмки.' }),
    number: Type.String({ description: 'Номер приёмки на складе.' }),
    status: oneOfValues(receiptStatuses, 'Состояние приёмки.'),
    status_label: Type.String({ description: 'Состояние по-русски; текст может измениться.' }),
    expected_qty: count('Всего заявлено единиц.'),
    accepted_qty: count('Всего принято единиц.'),
    discrepancy_qty: count(
      'Всего заявлено минус всего принято, не меньше 0; 0, пока приёмка не завершена. По строкам в сумме бывает больше.',
    ),
    created_at: moment('Когда создана.'),
    completed_at: momentOrNull('Когда завершена; null, пока не завершена.'),
    source: Type.Optional(
      oneOfValues(
        receiptSources,
        'Кто заявил товар: api — система продавца, file — менеджер из файла, manual — менеджер вручную. ' +
          'У приёмок, созданных до версии 1.1, поля нет.',
      ),
    ),
    external_ref: Type.Optional(
      Type.String({ description: 'Номер документа продавца, как передан. Только для source api.' }),
    ),
    comment: Type.Optional(Type.String({ description: 'Комментарий.' })),
    planned_date: momentOrNull('Плановая дата поставки: полночь по Москве; null, если не указана.'),
    confirmed_at: momentOrNull('Когда менеджер подтвердил заявку из API; иначе null.'),
    items: Type.Optional(
      Type.Array(named<Static<typeof ReceiptItem>>(ReceiptItem), {
        description: 'Состав; есть в ответе на одну приёмку и на создание, в списке поля нет.',
      }),
    ),
  },
  { $id: 'Receipt', description: 'Приёмка: продавец привозит товар, склад считает и принимает.' },
)
export type Receipt = Shown<typeof Receipt>

export interface ReceiptRow {
  id: string
  number: string
  status: ReceiptStatus
  source: ReceiptSource | null
  /** external_ref where sellers see it. */
  shown_ref: string | null
  comment: string | null
  /** Its midnight. */
  planned_date: Timestamp | null
  expected_qty: number
  accepted_qty: number
  discrepancy_qty: number
  created_at: Timestamp
  confirmed_at: Timestamp | null
  completed_at: Timestamp | null
}

export interface ReceiptItemRow {
  barcode: string
  article: string | null
  name: string
  honest_mark: boolean | null
  expected_qty: number
  accepted_qty: number
  discrepancy_qty: number
  /** Label of the curated list. */
  shortage_reason: string | null
}

/** A receipt as sellers see it: with its lines where they are given, as in a list otherwise. */
export function receiptView(row: ReceiptRow, items?: readonly ReceiptItemRow[]): Receipt {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    status_label: receiptStatusLabels[row.status],
    expected_qty: row.expected_qty,
    accepted_qty: row.accepted_qty,
    discrepancy_qty: row.discrepancy_qty,
    created_at: row.created_at,
    completed_at: row.completed_at,
    source: row.source ?? undefined,
    external_ref: row.shown_ref ?? undefined,
    comment: row.comment ?? undefined,
    planned_date: row.planned_date,
    confirmed_at: row.confirmed_at,
    items: items?.map(itemView),
  }
}

function itemView(row: ReceiptItemRow): Shown<typeof ReceiptItem> {
  return {
    barcode: row.barcode,
    article: row.article ?? undefined,
    name: row.name,
    honest_mark: row.honest_mark ?? undefined,
    expected_qty: row.expected_qty,
    accepted_qty: row.accepted_qty,
    discrepancy_qty: row.discrepancy_qty,
    shortage_reason: row.shortage_reason ?? undefined,
  }
}

const AlsoExpected = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор другой приёмки.' }),
    number: Type.String({ description: 'Её номер.' }),
    status: oneOfValues(receiptStatuses, 'Её состояние.'),
    expected_qty: count('Сколько единиц этого товара заявлено в ней.'),
  },
  { description: 'Другая незавершённая приёмка с тем же товаром.' },
)

export const StaffReceiptItem = Type.Object(
  {
    ...ReceiptItem.properties,
    other_barcodes: otherBarcodes,
    picture: pictureOfGoods,
    card_honest_mark: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        'Маркируется ли товар по его карточке: заявка может говорить другое. ' +
        'null: товар складу ещё не известен.',
    }),
    asks_expiry: Type.Optional(
      Type.Boolean({ description: 'У товара учитывается срок годности; если нет, поля нет.' }),
    ),
    unlisted: Type.Boolean({
      description: 'Товара в заявке не было: все его единицы под вопросом, пока менеджер не решит.',
    }),
    also_expected_in: Type.Optional(
      Type.Array(AlsoExpected, {
        description:
          'Предупреждение: этот товар заявлен и в других незавершённых приёмках клиента. ' +
          'Проверьте, не одна ли это поставка. Если таких нет, поля нет.',
      }),
    ),
  },
  { $id: 'StaffReceiptItem', description: 'Строка приёмки.' },
)

const { items: _, ...receiptFields } = Receipt.properties

export const StaffReceipt = Type.Object(
  {
    ...receiptFields,
    external_ref: Type.Optional(Type.String({ description: 'Номер документа продавца.' })),
    client_id: Type.String({ description: 'Клиент.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    cabinet_id: textOrNull('Кабинет; null, если не указан.'),
    walk_in: Type.Boolean({
      description: 'Приёмка без документа: её единицы под вопросом, пока менеджер не одобрит.',
    }),
    approved_at: momentOrNull('Когда менеджер одобрил приёмку без документа; иначе null.'),
    cancelled_at: momentOrNull('Когда менеджер отменил приёмку; иначе null.'),
    cancel_comment: textOrNull('Почему отменена; null, если не сказано.'),
    short_qty: count('Скольких единиц не хватает, по строкам; 0, пока приёмка не завершена.'),
    surplus_qty: count('Сколько пришло сверх заявки, по строкам; 0, пока приёмка не завершена.'),
    version: Type.Optional(
      Type.String({
        description: 'Версия заявки, пока она ждёт подтверждения: продавец может изменить её.',
      }),
    ),
    items: Type.Optional(
      Type.Array(named<Static<typeof StaffReceiptItem>>(StaffReceiptItem), {
        description: 'Состав; в списке поля нет.',
      }),
    ),
  },
  { $id: 'StaffReceipt', description: 'Приёмка, как её видит склад.' },
)
export type StaffReceipt = Shown<typeof StaffReceipt>

export interface StaffReceiptRow extends ReceiptRow {
  external_ref: string | null
  client_id: string
  client_name: string
  cabinet_id: string | null
  walk_in: boolean
  approved_at: Timestamp | null
  cancelled_at: Timestamp | null
  cancel_comment: string | null
  short_qty: number
  surplus_qty: number
  /** Null where it does not wait for a manager. */
  version: string | null
}

export interface StaffItemRow extends ReceiptItemRow {
  card_honest_mark: boolean | null
  asks_expiry: boolean
}

/** Other open receipts that announce the same goods, by barcode. */
export type OtherAnnouncements = Readonly<Record<string, Static<typeof AlsoExpected>[]>>

/** A receipt as staff see it: with its lines where they are given, as in a list otherwise. */
export function staffReceiptView(
  row: StaffReceiptRow,
  lines?: readonly StaffItemRow[],
  others: OtherAnnouncements = {},
): StaffReceipt {
  const { client_id, client_name, cabinet_id } = row
  const { walk_in, approved_at, cancelled_at, cancel_comment, short_qty, surplus_qty } = row
  const { items, ...receipt } = receiptView({ ...row, shown_ref: row.external_ref }, lines)
  return {
    ...receipt,
    client_id,
    client_name,
    cabinet_id,
    walk_in,
    approved_at,
    cancelled_at,
    cancel_comment,
    short_qty,
    surplus_qty,
    version: row.version ?? undefined,
    items: items?.map((item, at) => staffItemView(item, lines?.[at], others[item.barcode])),
  }
}

function staffItemView(
  item: Shown<typeof ReceiptItem>,
  row: StaffItemRow | undefined,
  others: OtherAnnouncements[string] | undefined,
): Shown<typeof StaffReceiptItem> {
  return {
    ...item,
    picture: undefined,
    card_honest_mark: row?.card_honest_mark ?? null,
    asks_expiry: row?.asks_expiry || undefined,
    unlisted: item.expected_qty === 0,
    also_expected_in: others,
  }
}
