import type { Marketplace } from '../../warehouse/clients/marketplace.ts'
import type { Cover } from '../../warehouse/metrics/cover.ts'
import type { GoodsSales } from '../../warehouse/metrics/sales.ts'
import { lotStateWords, type StockLot } from '../../warehouse/stock/lot-queries.ts'
import type { StockItem } from '../../warehouse/stock/view.ts'
import { type FileOf, fileColumn } from './table-answer.ts'

/** Goods of a client as files, for managers and for sellers. */

const { text, code, number, moment } = fileColumn

export const stockFile: FileOf<StockItem> = {
  columns: [
    ...[code('Штрихкод'), code('Артикул'), text('Товар'), number('Остаток')],
    ...[number('Можно продавать'), number('Под вопросом'), number('В резерве')],
    ...[number('Коробов'), number('Паллет'), number('Показывает WB'), number('Показывает OZON')],
    moment('Изменён'),
  ],
  cells: (item) => [
    ...[item.barcode, item.article ?? null, item.name, item.quantity],
    ...[item.available, item.in_question, item.reserved, item.boxes, item.pallets],
    ...[shownBy(item, 'WB'), shownBy(item, 'OZON'), item.updated_at],
  ],
}

/** What all cabinets of a marketplace show; null where none shows the goods. */
function shownBy({ marketplace_stock }: StockItem, marketplace: Marketplace): number | null {
  const figures = marketplace_stock.filter((each) => each.marketplace === marketplace)
  return figures.length === 0 ? null : figures.reduce((sum, { quantity }) => sum + quantity, 0)
}

export const lotFile: FileOf<StockLot> = {
  columns: [
    ...[code('Штрихкод'), code('Артикул'), text('Товар'), text('Срок годности'), code('Партия')],
    ...[text('Состояние'), number('Осталось дней'), number('Единиц')],
    number('Из них собрано в заказы'),
  ],
  cells: (lot) => [
    ...[lot.barcode, lot.article, lot.name, lot.expires_on, lot.number || null],
    ...[lotStateWords[lot.state], lot.days_left, lot.quantity, lot.picked],
  ],
}

const coverWords = {
  out: 'закончился',
  low: 'скоро закончится',
  enough: 'хватает',
  idle: 'не заказывают',
} as const

/** How long goods last. */
export const coverFile: FileOf<Cover> = {
  columns: [
    ...[code('Штрихкод'), code('Артикул'), text('Товар'), number('Можно продавать')],
    ...[number('Заказывают в сутки'), number('Хватит на суток'), text('Состояние')],
  ],
  cells: (goods) => [
    ...[goods.barcode, goods.article, goods.name],
    ...[goods.available, goods.a_day, goods.days, coverWords[goods.state]],
  ],
}

/** The sales of a period by product. */
export const salesFile: FileOf<GoodsSales> = {
  columns: [
    ...[code('Штрихкод'), code('Артикул'), text('Товар'), number('Заказано')],
    ...[number('Отменено'), number('Отгружено'), number('Вернулось')],
  ],
  cells: (sold) => [
    ...[sold.barcode, sold.article, sold.name],
    ...[sold.ordered, sold.cancelled, sold.shipped, sold.returned],
  ],
}
