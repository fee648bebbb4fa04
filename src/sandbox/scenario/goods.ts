import type { NewCabinet } from '../../warehouse/clients/cabinets.ts'

/** The fictional seller of the sandbox and its 24 products. */

export const seller = { name: 'ООО «Тёплый дом» (песочница)', inn: '7799000012' }
export const warehouse = { code: 'DEMO', name: 'Склад песочницы, Подольск' }
export const cabinets: readonly NewCabinet[] = [
  { marketplace: 'WB', name: 'Тёплый дом WB', deadline_hours: 72 },
  { marketplace: 'OZON', name: 'Тёплый дом OZON', deadline_hours: 48 },
]

export interface Good {
  readonly barcode: string
  readonly article?: string
  readonly name: string
  readonly honestMark: boolean
  /** Number of the WB card. */
  readonly nmId: number
  /** How often buyers order it, relative to the other goods. */
  readonly demand: number
}

const names: readonly (readonly [
  name: string,
  article: string | null,
  marked: boolean,
  demand: number,
])[] = [
  ['Плед флисовый 150×200, серый', 'PLD-150-GR', false, 9],
  ['Плед флисовый 150×200, бежевый', 'PLD-150-BG', false, 7],
  ['Подушка декоративная 40×40, терракота', 'PIL-40-TR', false, 5],
  ['Наволочка 50×70, сатин', 'CASE-50', false, 6],
  ['Комплект постельного белья, евро', 'BED-EUR-01', true, 4],
  ['Комплект постельного белья, полуторный', 'BED-150-01', true, 4],
  ['Полотенце махровое 70×140, белое', 'TWL-70-WH', true, 8],
  ['Полотенце махровое 50×90, белое', 'TWL-50-WH', true, 8],
  ['Халат махровый, размер M', 'ROBE-M', true, 3],
  ['Халат махровый, размер L', 'ROBE-L', true, 3],
  ['Тапочки домашние, 38–39', 'SLP-38', true, 2],
  ['Тапочки домашние, 42–43', 'SLP-42', true, 2],
  ['Свеча ароматическая «Лаванда»', 'CND-LAV', false, 7],
  ['Свеча ароматическая «Кедр»', 'CND-CDR', false, 6],
  ['Диффузор с палочками, 100 мл', 'DIF-100', false, 3],
  ['Кружка керамическая 350 мл', 'MUG-350', false, 6],
  ['Набор бокалов, 2 шт.', 'GLS-2', false, 2],
  ['Доска разделочная, бук', 'BRD-BCH', false, 2],
  ['Корзина для белья, хлопок', 'BSK-CTN', false, 2],
  ['Органайзер для шкафа, 6 секций', 'ORG-6', false, 3],
  ['Ночник «Луна», USB', 'NLT-MOON', false, 4],
  ['Гирлянда 5 м, тёплый свет', 'GRL-5', false, 5],
  ['Подарочный набор: плед и свеча «Лаванда»', 'SET-PLD-CND', false, 3],
  ['Подарочная коробка, крафт', null, false, 1],
]

export const goods: readonly Good[] = names.map(([name, article, honestMark, demand], index) => ({
  barcode: ean13(`2000000010${String(index + 1).padStart(2, '0')}`),
  ...(article === null ? {} : { article }),
  name,
  honestMark,
  nmId: 190_400_000 + index * 137,
  demand,
}))

/** Goods that the seller took back a day before the end: nothing is left, and nobody orders them since. */
export const soldOut = goodAt(17)
/** Goods whose expiry dates are kept. */
export const datedGoods = goodAt(14)
/** Goods that are made of others. */
export const giftSet = { ...goodAt(22), parts: [goodAt(1), goodAt(12)] }
/** Unmarked goods that the seller brings. */
export const plainGoods = goods.filter(
  ({ honestMark, barcode }) => !honestMark && barcode !== giftSet.barcode,
)
/** Goods that no cabinet lists any more. */
export const unlisted = goodAt(23)

function goodAt(index: number): Good {
  const good = goods[index]
  if (good === undefined) throw new Error(`there are no goods ${index}`)
  return good
}

/** Appends the check digit to the first twelve digits of an EAN-13. */
function ean13(digits: string): string {
  const sum = [...digits].reduce(
    (total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}
