import type { FlowStage } from '../../../src/warehouse/orders/flow-stages.ts'

/** The stages of the way of an order, as the first page names them. */
export const stageWords: readonly (readonly [stage: FlowStage, title: string])[] = [
  ['to_pick', 'Ждут сборки'],
  ['picking', 'Собирают'],
  ['checking', 'Проверяют упаковку'],
  ['ready', 'Готовы к передаче'],
  ['handed_over', 'Переданы сегодня'],
  ['accepted', 'Приняты сегодня'],
]
