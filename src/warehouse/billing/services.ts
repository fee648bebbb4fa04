/**
 * Measured services: the warehouse has a fact for each unit of their quantity (facts.ts). Own services of a warehouse are
 * in `billing_services`; their codes begin with OWN_.
 */
export interface MeasuredService {
  readonly code: string
  /** In Russian, as an act shows it. */
  readonly name: string
  /** In Russian, short. */
  readonly unit: string
}

export const measuredServices = [
  { code: 'UNIT_RECEIVED', name: 'Приёмка товара', unit: 'шт.' },
  { code: 'MARKED_UNIT_RECEIVED', name: 'Приёмка с кодом маркировки, надбавка', unit: 'шт.' },
  { code: 'BOX_RECEIVED', name: 'Приёмка короба', unit: 'короб' },
  { code: 'PALLET_RECEIVED', name: 'Приёмка паллеты', unit: 'паллета' },
  { code: 'STORAGE_UNIT_DAY', name: 'Хранение товара', unit: 'шт. в день' },
  { code: 'STORAGE_LITRE_DAY', name: 'Хранение по объёму', unit: 'л в день' },
  { code: 'STORAGE_BOX_DAY', name: 'Хранение короба', unit: 'короб в день' },
  { code: 'STORAGE_PALLET_DAY', name: 'Хранение паллеты', unit: 'паллета в день' },
  { code: 'UNIT_COUNTED', name: 'Пересчёт по просьбе клиента', unit: 'шт.' },
  { code: 'LABEL_PRINTED', name: 'Этикетка товара', unit: 'шт.' },
  { code: 'ORDER_PACKED', name: 'Сборка заказа', unit: 'заказ' },
  { code: 'FURTHER_UNIT', name: 'Второй и следующий товар заказа', unit: 'шт.' },
  { code: 'MARK_GIVEN', name: 'Передача маркировки', unit: 'знак' },
  { code: 'PACKING_CHECK', name: 'Проверка упаковки', unit: 'шт.' },
  { code: 'SHIPMENT_HANDED_OVER', name: 'Передача отгрузки', unit: 'отгрузка' },
  { code: 'SHIPMENT_BOX', name: 'Грузоместо отгрузки', unit: 'шт.' },
  { code: 'RETURN_SELLABLE', name: 'Приём возврата, годен', unit: 'шт.' },
  { code: 'RETURN_DAMAGED', name: 'Приём возврата, повреждён', unit: 'шт.' },
  { code: 'RETURN_UNKNOWN', name: 'Приём возврата, не осмотрен', unit: 'шт.' },
] as const satisfies readonly MeasuredService[]
