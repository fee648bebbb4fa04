import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  named,
  oneOfValues,
  type Shown,
} from '../../platform/kernel/schema.ts'
import { marketplaces } from '../clients/marketplace.ts'

export const MarketplaceStock = Type.Object(
  {
    marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
    quantity: Type.Integer({
      description:
        'Остаток по данным маркетплейса, штук; карточки кабинета с одним штрихкодом складываются.',
    }),
    warehouse_id: Type.Optional(
      Type.Integer({ description: 'Склад маркетплейса; без разбивки по складам поля нет.' }),
    ),
    warehouse_name: Type.Optional(Type.String({ description: 'Название склада маркетплейса.' })),
    synced_at: momentOrNull('Когда цифра успешно получена; null, если ещё ни разу.'),
  },
  { $id: 'MarketplaceStock', description: 'Остаток, который показывает кабинет маркетплейса.' },
)

export const StockItem = Type.Object(
  {
    barcode: Type.String({ description: 'Штрихкод товара.' }),
    article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
    name: Type.String({ description: 'Название товара.' }),
    quantity: count('Остаток на складе по журналу движений: принято − отгружено ± корректировки.'),
    available: count('Можно продавать: quantity − in_question.'),
    in_question: count('Единицы под вопросом: физически на складе и уже входят в quantity.'),
    reserved: count(
      'Уже взято в открытое задание на сборку; часть quantity, не вычитается ещё раз.',
    ),
    boxes: count('В скольких коробах лежит товар.'),
    pallets: count('На скольких паллетах лежит товар.'),
    marketplace_stock: Type.Array(named<Static<typeof MarketplaceStock>>(MarketplaceStock), {
      description: 'Остатки кабинетов; пустой список, если кабинеты ещё не опрошены.',
    }),
    updated_at: moment('Последнее сканирование, изменившее остаток.'),
  },
  { $id: 'StockItem', description: 'Остаток одного товара.' },
)
export type StockItem = Shown<typeof StockItem>

/** A row of the stock list. */
export interface StockRow {
  barcode: string
  article: string | null
  name: string
  quantity: number
  in_question: number
  reserved: number
  boxes: number
  pallets: number
  updated_at: Timestamp
  /** Kept as the API shows it (`reported_figures` in the migrations). */
  marketplace_stock: Static<typeof MarketplaceStock>[]
}

export function stockItemView(row: StockRow): StockItem {
  return {
    barcode: row.barcode,
    article: row.article ?? undefined,
    name: row.name,
    quantity: row.quantity,
    available: row.quantity - row.in_question,
    in_question: row.in_question,
    reserved: row.reserved,
    boxes: row.boxes,
    pallets: row.pallets,
    marketplace_stock: row.marketplace_stock,
    updated_at: row.updated_at,
  }
}
