import type { ScanException } from '../../api/staff-calls.ts'

export const exceptionKinds: Readonly<Record<ScanException['kind'], string>> = {
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
}

export const exceptionDecisions = {
  accepted: 'Принять скан сейчас',
  entered: 'Уже учтено вручную',
  dismissed: 'Учитывать нечего',
} as const satisfies Readonly<Record<NonNullable<ScanException['decision']>, string>>
