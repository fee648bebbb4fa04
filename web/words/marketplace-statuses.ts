/** What the marketplaces call the states of an order, as people say it. */
const words: Readonly<Record<string, string>> = {
  // WB: the seller's side.
  new: 'новый',
  confirm: 'на сборке',
  complete: 'передан в доставку',
  cancel: 'отменён продавцом',
  cancel_carrier: 'отменён перевозчиком',
  // WB: the buyer's side.
  waiting: 'в работе',
  sorted: 'отсортирован',
  ready_for_pickup: 'в пункте выдачи',
  postponed_delivery: 'доставка отложена',
  accepted_by_carrier: 'принят перевозчиком',
  sent_to_carrier: 'отправлен перевозчику',
  sold: 'получен покупателем',
  canceled: 'отменён',
  canceled_by_client: 'покупатель отказался при получении',
  declined_by_client: 'отменён покупателем',
  defect: 'отменён из-за брака',
  canceled_by_carrier: 'отменён перевозчиком',
  canceled_by_missed_call: 'отменён: покупатель не ответил',
  // OZON: statuses.
  awaiting_registration: 'ждёт регистрации',
  awaiting_approve: 'ждёт подтверждения',
  awaiting_verification: 'проверяется',
  awaiting_packaging: 'ждёт упаковки',
  awaiting_deliver: 'ждёт отгрузки',
  acceptance_in_progress: 'принимается',
  sent_by_seller: 'отправлен продавцом',
  driver_pickup: 'у водителя',
  delivering: 'доставляется',
  delivered: 'доставлен',
  cancelled: 'отменён',
  cancelled_from_split_pending: 'отменён при разделении',
  not_accepted: 'не принят на сортировке',
  arbitration: 'спор',
  client_arbitration: 'спор с покупателем',
  // OZON: substatuses.
  ship_failed: 'не собрался',
  posting_acceptance_in_progress: 'принимается',
  posting_in_arbitration: 'спор',
  posting_created: 'создан',
  posting_registered: 'зарегистрирован',
  posting_in_carriage: 'в отгрузке',
  posting_not_in_carriage: 'не в отгрузке',
  posting_split_pending: 'разделяется',
  posting_transferring_to_delivery: 'передаётся в доставку',
  posting_awaiting_passport_data: 'ждёт паспортных данных',
  posting_driver_pick_up: 'у водителя',
  posting_not_in_sort_center: 'не принят на сортировке',
  posting_on_way_to_city: 'едет в город покупателя',
  posting_on_way_to_pickup_point: 'едет в пункт выдачи',
  posting_in_pickup_point: 'в пункте выдачи',
  posting_transferred_to_courier_service: 'передан курьеру',
  posting_in_courier_service: 'у курьера',
  posting_conditionally_delivered: 'условно доставлен',
  posting_delivered: 'доставлен',
  posting_received: 'получен покупателем',
  posting_canceled: 'отменён',
  posting_in_client_arbitration: 'спор с покупателем',
  posting_returned_to_warehouse: 'вернулся на склад',
}

interface RawStatus {
  readonly supplier?: string | undefined
  readonly buyer?: string | undefined
}

/** Both sides of a state, once where they say the same. One that nobody knows yet stays as the marketplace writes it. */
export function marketplaceWords({ supplier, buyer }: RawStatus): string {
  const said = [supplier, buyer].map((side = '') =>
    Object.hasOwn(words, side) ? words[side] : side,
  )
  return [...new Set(said)].filter(Boolean).join(' · ')
}
