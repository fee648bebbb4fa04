import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, named, textOrNull } from '../../platform/kernel/schema.ts'

export const StoredUnits = Type.Object(
  {
    barcode: Type.String({ description: 'Штрихкод товара.' }),
    name: Type.String({ description: 'Название товара.' }),
    article: textOrNull('Артикул продавца; null, если его нет.'),
    qty: Type.Integer({ minimum: 1, description: 'Сколько единиц лежит.' }),
  },
  { $id: 'StoredUnits', description: 'Единицы одного товара.' },
)
export type StoredUnits = Static<typeof StoredUnits>

const contents = Type.Optional(
  Type.Array(named<StoredUnits>(StoredUnits), {
    description: 'Что лежит, по возрастанию штрихкода; в списке поля нет.',
  }),
)
const location = {
  location_id: textOrNull('Место хранения, где стоит; null, если не указано.'),
  location_code: textOrNull('Код этого места.'),
}
const sscc = textOrNull('Номер SSCC: 18 цифр этикетки; null, если номера нет.')

export const Box = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор короба.' }),
    client_id: Type.String({ description: 'Чьи в нём товары.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    sscc,
    pallet_id: textOrNull('Паллета, на которой он стоит; null, если ни на какой.'),
    ...location,
    units: count('Единиц в коробе.'),
    sku_count: count('Разных товаров в коробе.'),
    created_at: moment('Когда заведён.'),
    contents,
  },
  { $id: 'Box', description: 'Короб.' },
)
export type Box = Static<typeof Box>

export const Pallet = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор паллеты.' }),
    client_id: Type.String({ description: 'Чьи на ней товары.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    sscc,
    ...location,
    boxes_count: count('Коробов на паллете, пустые тоже.'),
    units: count('Единиц на паллете.'),
    sku_count: count('Разных товаров на паллете.'),
    created_at: moment('Когда заведена.'),
    boxes: Type.Optional(
      Type.Array(named<Box>(Box), {
        description: 'Короба с содержимым, новые первыми; в списке поля нет.',
      }),
    ),
    contents,
  },
  { $id: 'Pallet', description: 'Паллета.' },
)
export type Pallet = Static<typeof Pallet>

export interface BoxRow {
  id: string
  client_id: string
  client_name: string
  sscc: string | null
  pallet_id: string | null
  location_id: string | null
  location_code: string | null
  units: number
  sku_count: number
  created_at: Timestamp
  /** A JSON array; null for an empty box, undefined in lists. */
  contents?: StoredUnits[] | null
}

export function boxView(row: BoxRow): Box {
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_name,
    sscc: row.sscc,
    pallet_id: row.pallet_id,
    location_id: row.location_id,
    location_code: row.location_code,
    units: row.units,
    sku_count: row.sku_count,
    created_at: row.created_at,
    ...(row.contents === undefined ? {} : { contents: row.contents ?? [] }),
  }
}

export interface PalletRow {
  id: string
  client_id: string
  client_name: string
  sscc: string | null
  location_id: string | null
  location_code: string | null
  boxes_count: number
  units: number
  sku_count: number
  created_at: Timestamp
}

export function palletView(row: PalletRow, boxes?: readonly Box[]): Pallet {
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_name,
    sscc: row.sscc,
    location_id: row.location_id,
    location_code: row.location_code,
    boxes_count: row.boxes_count,
    units: row.units,
    sku_count: row.sku_count,
    created_at: row.created_at,
    ...(boxes === undefined ? {} : { boxes: [...boxes], contents: contentsOf(boxes) }),
  }
}

/** Adds up the contents of boxes, by barcode. */
function contentsOf(boxes: readonly Box[]): StoredUnits[] {
  const sums = new Map<string, StoredUnits>()
  for (const units of boxes.flatMap((box) => box.contents ?? [])) {
    const qty = (sums.get(units.barcode)?.qty ?? 0) + units.qty
    sums.set(units.barcode, { ...units, qty })
  }
  return [...sums.values()].sort((a, b) => (a.barcode < b.barcode ? -1 : 1))
}
