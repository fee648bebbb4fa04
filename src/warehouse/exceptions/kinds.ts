/** What was scanned where no scan could be accepted, and what people call it. */
export const exceptionKindLabels = {
  receipt_scan: 'Скан приёмки',
  pick: 'Скан сборки',
  pack_check: 'Проверка упаковки',
  return_scan: 'Скан возврата',
  return_scan_of_day: 'Скан возврата без приёма',
  count_scan: 'Скан пересчёта',
  location_put: 'Положили на место',
  location_take: 'Взяли с места',
  location_move: 'Переложили с места',
  box_put: 'Положили в короб',
  box_take: 'Взяли из короба',
  box_move: 'Переложили из короба',
  box_place: 'Поставили короб',
  pallet_place: 'Поставили паллету',
} as const

export type ExceptionKind = keyof typeof exceptionKindLabels
export const exceptionKinds = Object.keys(exceptionKindLabels) as ExceptionKind[]
