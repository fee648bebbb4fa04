// Made from openapi/public.json by "npm run openapi".

/** Ошибка. */
export interface ApiError {
  error: {
    /** Код ошибки: по нему строят логику, он не меняется. */
    code: 'unauthorized' | 'key_revoked' | 'rate_limited' | 'not_found' | 'bad_request' | 'bad_cursor' | 'internal' | 'validation_error' | 'cabinet_required' | 'mixed_marking' | 'write_disabled' | 'warehouse_unavailable' | 'webhook_url_unverified' | 'webhook_limit' | 'webhooks_unavailable' | 'sandbox_only'
    /** Что случилось, по-русски; текст может измениться. */
    message: string
    /** То же, что в заголовке X-Request-Id. */
    request_id: string
  }
}

/** Кабинет продавца на маркетплейсе. */
export interface Cabinet {
  /** Идентификатор кабинета: его передают как cabinet_id. */
  id: string
  /** Маркетплейс кабинета. */
  marketplace: 'WB' | 'OZON'
  /** Название кабинета. */
  name: string
  /** Подключён ли кабинет сейчас. */
  active: boolean
  /** Когда данные маркетплейса успешно получены; null, если ещё ни разу. */
  synced_at: string | null
  /** Почему не удалась последняя синхронизация; при удачной поля нет. */
  sync_error?: string | undefined
}

/** Кому принадлежит ключ. */
export interface Me {
  /** Юридическое лицо, общее для всех кабинетов. */
  client: {
    /** Идентификатор юридического лица. */
    id: string
    /** Название юридического лица. */
    name: string
    /** ИНН; если не заполнен, поля нет. */
    inn?: string | undefined
  }
  /** Кабинеты юридического лица. */
  cabinets: Array<Cabinet>
  /** Склад, где лежат товары. */
  warehouse: {
    /** Короткий код склада. */
    code: string
    /** Название склада. */
    name: string
  }
  /** Ключ, которым сделан запрос. */
  key: {
    /** Идентификатор ключа. */
    id: string
    /** Имя, данное при выпуске. */
    name: string
    /** Первые 8 и последние 4 знака ключа. */
    preview: string
    /** Когда выпущен. */
    created_at: string
    /** Последний успешный запрос до этого; null, если его не было. */
    last_used_at: string | null
  }
}

/** Остаток, который показывает кабинет маркетплейса. */
export interface MarketplaceStock {
  /** Маркетплейс. */
  marketplace: 'WB' | 'OZON'
  /** Остаток по данным маркетплейса, штук; карточки кабинета с одним штрихкодом складываются. */
  quantity: number
  /** Склад маркетплейса; без разбивки по складам поля нет. */
  warehouse_id?: number | undefined
  /** Название склада маркетплейса. */
  warehouse_name?: string | undefined
  /** Когда цифра успешно получена; null, если ещё ни разу. */
  synced_at: string | null
}

/** Единицы под вопросом по одной причине. */
export interface UnitsInQuestion {
  /** Код причины; surplus — излишек при приёмке. */
  reason: string
  /** Причина словами. */
  label: string
  /** Сколько единиц. */
  units: number
  /** С какого времени: самая давняя из них. */
  since: string
  /** Приёмка, если единицы — её излишек; иначе поля нет. */
  receipt_id?: string | undefined
}

/** Остаток одного товара в прошлый момент. */
export interface PastStockItem {
  /** Штрихкод товара. */
  barcode: string
  /** Артикул продавца; если нет, поля нет. */
  article?: string | undefined
  /** Название товара. */
  name: string
  /** Остаток на складе в этот момент, по журналу движений. */
  quantity: number
  /** Можно было продавать: quantity − in_question. */
  available: number
  /** Единицы под вопросом в этот момент; уже входят в quantity. */
  in_question: number
  /** Последнее движение к этому моменту; null, если движений ещё не было. */
  updated_at: string | null
}

/** Партия товара: единицы с одним сроком годности и номером. */
export interface GoodsLot {
  /** Штрихкод товара. */
  barcode: string
  /** Артикул; null, если нет. */
  article: string | null
  /** Название товара. */
  name: string
  /** Последний день годности, ГГГГ-ММ-ДД; null: срок неизвестен. */
  expires_on: string | null
  /** Номер партии; пусто, если его нет. */
  number: string
  /** Единиц на складе, вместе с собранными в заказы. */
  quantity: number
  /** Из них собрано в заказы, которые ещё не ушли. */
  picked: number
  /** Сколько дней осталось; отрицательно: срок прошёл; null: срок неизвестен. */
  days_left: number | null
  /** expired — срок прошёл, единицы под вопросом; soon — осталось меньше дней, чем задано у товара; good; unknown — срок неизвестен. */
  state: 'expired' | 'soon' | 'good' | 'unknown'
}

/** Товар клиента; у набора — его части. */
export interface GoodsItem {
  /** Штрихкод товара. */
  barcode: string
  /** Артикул продавца; если нет, поля нет. */
  article?: string | undefined
  /** Название. */
  name: string
  /** Набор ли это: товар, который составляют из других. */
  is_set: boolean
  /** Из чего набор, по возрастанию штрихкода; у остальных товаров пусто. */
  parts: Array<{
    /** Штрихкод части. */
    barcode: string
    /** Её название. */
    name: string
    /** Сколько единиц в одном наборе. */
    quantity: number
  }>
  /** Сколько наборов выйдет сейчас из свободных единиц частей: не под вопросом и не отложенных для других заказов. Собранные заранее сюда не входят: они в остатке самого набора. null, если это не набор. */
  parts_allow: number | null
}

/** Остаток одного товара. */
export interface StockItem {
  /** Штрихкод товара. */
  barcode: string
  /** Артикул продавца; если нет, поля нет. */
  article?: string | undefined
  /** Название товара. */
  name: string
  /** Остаток на складе по журналу движений: принято − отгружено ± корректировки. */
  quantity: number
  /** Можно продавать: quantity − in_question. */
  available: number
  /** Единицы под вопросом: физически на складе и уже входят в quantity. */
  in_question: number
  /** Уже взято в открытое задание на сборку; часть quantity, не вычитается ещё раз. */
  reserved: number
  /** В скольких коробах лежит товар. */
  boxes: number
  /** На скольких паллетах лежит товар. */
  pallets: number
  /** Остатки кабинетов; пустой список, если кабинеты ещё не опрошены. */
  marketplace_stock: Array<MarketplaceStock>
  /** Последнее сканирование, изменившее остаток. */
  updated_at: string
}

/** Страница остатков. */
export interface StockItemPage {
  /** Страница списка. */
  items: Array<StockItem>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Единицы товара под вопросом. */
export interface UnitsInQuestionList {
  /** По причинам, давние первыми; вместе — in_question товара. */
  items: Array<UnitsInQuestion>
}

/** Страница остатков в прошлый момент. */
export interface PastStockPage {
  /** Страница списка. */
  items: Array<PastStockItem>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Страница партий. */
export interface GoodsLotPage {
  /** Страница списка. */
  items: Array<GoodsLot>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Страница товаров. */
export interface GoodsPage {
  /** Страница списка. */
  items: Array<GoodsItem>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Заказ покупателя по схеме FBS. */
export interface Order {
  /** Идентификатор заказа в сервисе. */
  id: string
  /** Маркетплейс. */
  marketplace: 'WB' | 'OZON'
  /** Номер заказа в кабинете маркетплейса. */
  external_id: string
  /** Нормализованный статус; набор значений закрыт. */
  status: 'NEW' | 'ASSEMBLING' | 'IN_DELIVERY' | 'COMPLETED' | 'CANCELLED' | 'OTHER'
  /** Статус по-русски; текст может измениться. */
  status_label: string
  /** Статусы маркетплейса как есть. Значения у каждого свои и могут пополняться: не стройте на них логику. */
  marketplace_status: {
    /** Статус со стороны продавца; если не передан, поля нет. */
    supplier?: string | undefined
    /** Статус со стороны покупателя; если не передан, поля нет. */
    buyer?: string | undefined
    /** Когда пара изменилась по наблюдению сервиса. */
    changed_at?: string | undefined
  }
  /** Артикул продавца; если нет, поля нет. */
  article?: string | undefined
  /** Штрихкод; если неизвестен, поля нет. */
  barcode?: string | undefined
  /** Номер товара WB; у заказов OZON и если неизвестен, поля нет. */
  nm_id?: number | undefined
  /** Заказ из оптовой поставки, а не обычный розничный. */
  is_b2b: boolean
  /** Отгрузка в сервисе; null, пока заказ ни в одной. Тогда status ведёт маркетплейс: ASSEMBLING и IN_DELIVERY бывают и без отгрузки. */
  shipment_id: string | null
  /** Номер этой отгрузки на маркетплейсе; иначе null. */
  shipment_external_id: string | null
  /** Когда заказ создан на маркетплейсе. */
  created_at: string
  /** Когда заказ собран; до этого null. */
  packed_at: string | null
  /** Когда заказ обновлён с маркетплейса; null, если ещё ни разу. */
  synced_at: string | null
}

/** Страница заказов. */
export interface OrderPage {
  /** Страница списка. */
  items: Array<Order>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Состав заказа и история его статусов. */
export interface OrderDetails {
  /** Идентификатор заказа в сервисе. */
  id: string
  /** Кабинет, в котором создан заказ. */
  cabinet: {
    /** Идентификатор кабинета. */
    id: string
    /** Маркетплейс. */
    marketplace: 'WB' | 'OZON'
    /** Название. */
    name: string
  }
  /** До какого времени заказ нужно передать маркетплейсу; null, если срока нет. */
  deadline: string | null
  /** Почему отменён, словами маркетплейса; иначе поля нет. */
  cancel_reason?: string | undefined
  /** Все товары заказа; barcode и article самого заказа — из первой строки. Набор, который собирают под заказ, — своими частями. */
  lines: Array<{
    /** Штрихкод; если неизвестен, поля нет. */
    barcode?: string | undefined
    /** Артикул продавца; если нет, поля нет. */
    article?: string | undefined
    /** Сколько единиц заказано. */
    qty: number
    /** Сколько из них собрано. */
    picked: number
  }>
  /** Как менялись статус и пара маркетплейса: сначала старые, последние 200. */
  history: Array<{
    /** Когда сервис увидел эту перемену. */
    at: string
    /** Каким стал нормализованный статус. */
    status: 'NEW' | 'ASSEMBLING' | 'IN_DELIVERY' | 'COMPLETED' | 'CANCELLED' | 'OTHER'
    /** Какой стала пара статусов маркетплейса, как есть. */
    marketplace_status: {
      /** Статус со стороны продавца; если не передан, поля нет. */
      supplier?: string | undefined
      /** Статус со стороны покупателя; если не передан, поля нет. */
      buyer?: string | undefined
    }
  }>
}

/** Строка приёмки. */
export interface ReceiptItem {
  /** Штрихкод. */
  barcode: string
  /** Артикул продавца; если нет, поля нет. */
  article?: string | undefined
  /** Название. */
  name: string
  /** Товар подлежит обязательной маркировке: каждая единица принимается по коду маркировки. */
  honest_mark?: boolean | undefined
  /** Заявлено единиц. */
  expected_qty: number
  /** Принято и посчитано единиц. */
  accepted_qty: number
  /** Не хватает единиц; 0, пока приёмка не завершена. */
  discrepancy_qty: number
  /** Причина недостачи из пополняемого списка; без недостачи поля нет. */
  shortage_reason?: string | undefined
}

/** Приёмка: продавец привозит товар, склад считает и принимает. */
export interface Receipt {
  /** Идентификатор приёмки. */
  id: string
  /** Номер приёмки на складе. */
  number: string
  /** Состояние приёмки. */
  status: 'PENDING_CONFIRMATION' | 'EXPECTED' | 'RECEIVING' | 'RECEIVED' | 'RECEIVED_WITH_DISCREPANCY'
  /** Состояние по-русски; текст может измениться. */
  status_label: string
  /** Всего заявлено единиц. */
  expected_qty: number
  /** Всего принято единиц. */
  accepted_qty: number
  /** Всего заявлено минус всего принято, не меньше 0; 0, пока приёмка не завершена. По строкам в сумме бывает больше. */
  discrepancy_qty: number
  /** Когда создана. */
  created_at: string
  /** Когда завершена; null, пока не завершена. */
  completed_at: string | null
  /** Кто заявил товар: api — система продавца, file — менеджер из файла, manual — менеджер вручную. У приёмок, созданных до версии 1.1, поля нет. */
  source?: 'api' | 'file' | 'manual' | undefined
  /** Номер документа продавца, как передан. Только для source api. */
  external_ref?: string | undefined
  /** Комментарий. */
  comment?: string | undefined
  /** Плановая дата поставки: полночь по Москве; null, если не указана. */
  planned_date: string | null
  /** Когда менеджер подтвердил заявку из API; иначе null. */
  confirmed_at: string | null
  /** Состав; есть в ответе на одну приёмку и на создание, в списке поля нет. */
  items?: Array<ReceiptItem> | undefined
}

/** Страница приёмок. */
export interface ReceiptPage {
  /** Страница списка. */
  items: Array<Receipt>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Заявка на приёмку. */
export interface ReceiptDraft {
  /** Кабинет из GET /v1/me; обязателен, если кабинетов несколько. */
  cabinet_id?: string | undefined
  /** Номер документа в вашей системе. Повтор с тем же номером, пока первая заявка ждёт подтверждения, вернёт её же, а не создаст вторую. */
  external_ref?: string | undefined
  /** Комментарий. */
  comment?: string | undefined
  /** Плановая дата поставки: YYYY-MM-DD по Москве или время по RFC 3339. */
  planned_date?: string | undefined
  /** Состав поставки. */
  items: Array<{
    /** Штрихкод: один штрихкод — одна строка. */
    barcode: string
    /** Название; нужно, если товара ещё не было на складе и его нет в карточках подключённых кабинетов. */
    name?: string | undefined
    /** Артикул продавца; если не указан, берётся известный сервису. */
    article?: string | undefined
    /** Сколько единиц заявлено. */
    qty: number
    /** Подлежит ли товар маркировке; одинаково для всех строк заявки. */
    honest_mark: boolean
  }>
}

/** Отгрузка: собранные заказы, которые склад передаёт маркетплейсу. */
export interface Shipment {
  /** Идентификатор отгрузки в сервисе. */
  id: string
  /** Маркетплейс. */
  marketplace: 'WB' | 'OZON'
  /** Номер отгрузки в кабинете маркетплейса. */
  external_id: string
  /** Название; если не дано, поля нет. */
  name?: string | undefined
  /** Состояние отгрузки. */
  status: 'ASSEMBLING' | 'HANDED_OVER' | 'ACCEPTED'
  /** Состояние по-русски; текст может измениться. */
  status_label: string
  /** Сколько заказов в отгрузке, вместе с отменёнными, которых склад ещё не убрал. */
  orders_count: number
  /** Когда открыта. */
  created_at: string
  /** Когда закрыта на складе; null, пока собирается. */
  closed_at: string | null
  /** Когда маркетплейс отсканировал отгрузку у себя (юридически значимая приёмка); до этого null. */
  accepted_at: string | null
  /** Заказы; есть только в ответе на одну отгрузку. */
  orders?: Array<Order> | undefined
}

/** Страница отгрузок. */
export interface ShipmentPage {
  /** Страница списка. */
  items: Array<Shipment>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Возвраты, которые склад принял за один раз. */
export interface Return {
  /** Идентификатор. */
  id: string
  /** Номер на акте склада: `RT-000001`. */
  number: string
  /** OPEN — склад принимает, FINISHED — принял. */
  status: 'OPEN' | 'FINISHED'
  /** Состояние по-русски. */
  status_label: string
  /** Сколько единиц вернулось. */
  qty: number
  /** Сколько из них можно продавать. */
  sellable_qty: number
  /** Сколько повреждено или не осмотрено: они под вопросом. */
  in_question_qty: number
  /** Когда склад начал принимать. */
  created_at: string
  /** Когда закончил; до этого null. */
  finished_at: string | null
  /** Что вернулось; в списке этого поля нет. */
  items?: Array<{
    /** Заказ, с которым единицы уехали; null, если его не узнать. */
    order_id: string | null
    /** Номер этого заказа в кабинете. */
    order_external_id: string | null
    /** Штрихкод товара. */
    barcode: string
    /** Артикул продавца; если нет, поля нет. */
    article?: string | undefined
    /** Название товара. */
    name: string
    /** Сколько единиц. */
    qty: number
    /** sellable — можно продавать; damaged — повреждён, unknown — не осмотрен: они под вопросом. */
    condition: 'sellable' | 'damaged' | 'unknown'
    /** Причина словами; если нет, поля нет. */
    reason?: string | undefined
  }> | undefined
}

/** Страница возвратов. */
export interface ReturnPage {
  /** Страница списка. */
  items: Array<Return>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Сколько единиц приходится на причину. */
export interface ReasonCount {
  /** Код причины; список пополняется. */
  reason: string
  /** Причина по-русски. */
  label: string
  /** Единиц. */
  count: number
}

/** Показатели за период. */
export interface Metrics {
  /** Период, за который посчитано. */
  period: {
    /** Начало, включительно. */
    from: string
    /** Конец, не включая. */
    to: string
  }
  /** Воронка. */
  funnel: {
    /** Единиц принято за период. */
    accepted: number
    /** Остаток сейчас: равен сумме quantity по GET /v1/stock. */
    in_storage: number
    /** Единиц в отгрузках, закрытых за период. */
    shipped: number
    /** Заказов, которые маркетплейс отсортировал или провёл дальше; не меньше delivered. */
    sorted_by_marketplace: number
    /** Заказов, полученных покупателем. */
    delivered: number
    /** true — sorted_by_marketplace и delivered посчитаны по нынешнему статусу заказов, созданных в периоде; false — по переходам внутри периода. */
    by_current_status: boolean
  }
  /** Хранение. */
  storage: {
    /** Единиц на складе сейчас. */
    units: number
    /** Коробов с товаром сейчас. */
    boxes: number
    /** Паллет с товаром сейчас. */
    pallets: number
    /** Разных товаров на складе сейчас. */
    sku_count: number
    /** Единиц под вопросом сейчас; входят в units. */
    in_question: number
    /** Единиц принято за период. */
    received: number
    /** Единиц отгружено за период. */
    shipped: number
  }
  /** Приёмка. */
  receiving: {
    /** Приёмок завершено за период. */
    receipts: number
    /** В них заявлено единиц. */
    expected_units: number
    /** В них принято единиц. */
    accepted_units: number
    /** accepted_units / expected_units; 0, если ничего не заявляли. */
    fill_rate: number
    /** Единиц недостачи. */
    discrepancy_units: number
    /** Недостача по причинам; в сумме discrepancy_units. */
    shortages_by_reason: Array<ReasonCount>
  }
  /** Отгрузка. */
  shipments: {
    /** Заказов создано за период. */
    orders_total: number
    /** Они же по статусам; в сумме orders_total. */
    orders_by_status: Array<{
      /** Статус заказа. */
      status: 'NEW' | 'ASSEMBLING' | 'IN_DELIVERY' | 'COMPLETED' | 'CANCELLED' | 'OTHER'
      /** Статус по-русски. */
      label: string
      /** Заказов. */
      count: number
    }>
    /** Отгрузок закрыто за период. */
    shipments_closed: number
    /** Единиц отгружено за период. */
    units_shipped: number
    /** Заказов в статусе CANCELLED. */
    cancelled: number
    /** Единиц не найдено при сборке за период. */
    not_found: number
    /** Ненайденное по причинам; в сумме not_found. */
    not_found_by_reason: Array<ReasonCount>
  }
  /** Пояснения для человека. */
  notes: Array<string>
}

/** За что начислено. */
export interface ChargeSource {
  /** receipt — приёмка, order — заказ, shipment — отгрузка, return — приём возвратов, count — пересчёт, product — товар, storage — хранение за день, manual — начислено вручную, month — месяц целиком. */
  kind: 'receipt' | 'order' | 'shipment' | 'return' | 'count' | 'product' | 'storage' | 'manual' | 'month'
  /** Идентификатор; у товара — штрихкод, у хранения — день, у месяца — его первый день. */
  id: string
  /** Номер, как его знают люди; у начисленного вручную — того, к чему оно относится; null, если его нет. */
  number: string | null
  /** За что начислили вручную; когда посчитали короба и паллеты за день, если не сразу после него. */
  comment: string | null
}

/** Начисление. */
export interface Charge {
  /** Расчётный период: первый день месяца. */
  period: string
  /** День услуги по Москве; раньше периода — поправка к закрытому месяцу. */
  day: string
  /** Код услуги. */
  service: string
  /** Услуга по-русски. */
  service_name: string
  /** За что цена. */
  unit: string
  /** Количество, до трёх знаков. */
  quantity: string
  /** Цена за единицу, рубли. */
  price: string
  /** Сумма, рубли: количество × цена до копейки. В поправке — разница сумм. */
  amount: string
  /** Версия тарифа; null — цена не из тарифа. */
  tariff: string | null
  source: ChargeSource
}

/** Начислено за услугу. */
export interface ChargedService {
  /** Код услуги. */
  service: string
  /** Услуга по-русски. */
  service_name: string
  /** За что цена. */
  unit: string
  /** Количество, до трёх знаков. */
  quantity: string
  /** Сумма, рубли. */
  amount: string
  /** Сколько начислений. */
  charges: number
}

/** Начислено за день. */
export interface ChargedDay {
  /** День услуги по Москве; раньше периода — поправка к закрытому месяцу. */
  day: string
  /** Сумма, рубли. */
  amount: string
}

/** Страница начислений. */
export interface ChargePage {
  /** Страница списка. */
  items: Array<Charge>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Сколько начислено. */
export interface ChargeSummary {
  /** Всего, рубли. */
  amount: string
  /** По услугам. */
  services: Array<ChargedService>
  /** По дням, в которые что-то начислено. */
  days: Array<ChargedDay>
  /** По какой момент посчитаны открытые месяцы; null — ещё не посчитаны. */
  computed_at: string | null
}

/** Акт оказанных услуг. */
export interface Act {
  /** Идентификатор. */
  id: string
  /** Номер: у клиента, подряд. */
  number: number
  /** Расчётный период: первый день месяца. */
  period: string
  /** Дата акта: последний день периода. */
  day: string
  /** Сумма начислений, рубли. */
  amount: string
  /** Ставка НДС в процентах; null — без НДС. */
  vat_rate: number | null
  /** НДС, рубли. */
  vat: string
  /** К оплате, рубли. */
  total: string
  /** Исполнитель. */
  provider_name: string
  /** Его ИНН. */
  provider_inn: string
  /** Заказчик. */
  client_name: string
  /** Его ИНН; null, если он не заполнен. */
  client_inn: string | null
  /** Когда составлен. */
  made_at: string
}

/** Страница актов. */
export interface ActPage {
  /** Страница списка. */
  items: Array<Act>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Событие, как оно отправлено. Что в data, зависит от type. */
export type Event = ReceiptCreatedEvent | ReceiptConfirmedEvent | ReceiptStatusChangedEvent | ReceiptCompletedEvent | ShipmentStatusChangedEvent | OrderStatusChangedEvent | WebhookPingEvent

/** Попытка одной доставки. */
export interface LoggedAttempt {
  /** Которая попытка этой доставки. */
  number: number
  /** Когда она началась. */
  at: string
  /** Код ответа; 0 — ответа не было. */
  status_code: number
  /** Почему не удалась; null при удаче. */
  error: string | null
  /** Сколько длилась, в миллисекундах. */
  duration_ms: number
}

/** Подписка на события. */
export interface Webhook {
  /** Идентификатор подписки. */
  id: string
  /** Адрес, на который приходят события. */
  url: string
  /** Типы событий. */
  events: Array<'receipt.created' | 'receipt.confirmed' | 'receipt.status_changed' | 'receipt.completed' | 'shipment.status_changed' | 'order.status_changed'>
  /** Описание; если не дано, поля нет. */
  description?: string | undefined
  /** false после 8 неудач подряд: создайте подписку заново. */
  active: boolean
  /** Когда создана. */
  created_at: string
  /** Когда отключена; null, пока работает. */
  disabled_at: string | null
  /** Почему отключена. */
  disabled_reason?: string | undefined
  /** Когда была последняя попытка; null, если не было. */
  last_delivery_at: string | null
  /** Последний код ответа; 0 — ответа не было. */
  last_status_code?: number | undefined
  /** Неудач подряд. */
  failures_in_row: number
}

/** Подписки клиента. */
export interface WebhookList {
  /** Подписки, новые первыми. */
  items: Array<Webhook>
}

/** Новая подписка. */
export interface WebhookDraft {
  /** Адрес, доступный из интернета: https, с тестовым ключом также http. */
  url: string
  /** Типы событий, хотя бы один. */
  events: Array<'receipt.created' | 'receipt.confirmed' | 'receipt.status_changed' | 'receipt.completed' | 'shipment.status_changed' | 'order.status_changed'>
  /** Описание. */
  description?: string | undefined
}

/** Новая подписка и её секрет. */
export interface CreatedWebhook {
  webhook: Webhook
  /** Секрет подписи. Показан один раз. */
  secret: string
}

/** Проверка поставлена в очередь. */
export interface QueuedPing {
  /** Событие проверки: его видно в журнале доставок. */
  event_id: string
  /** Что сделано. */
  message: string
}

/** Доставка события по подписке. */
export interface Delivery {
  /** Идентификатор доставки. */
  id: string
  /** Подписка. */
  webhook_id: string
  /** Событие. */
  event_id: string
  /** Тип события. */
  event_type: 'receipt.created' | 'receipt.confirmed' | 'receipt.status_changed' | 'receipt.completed' | 'shipment.status_changed' | 'order.status_changed' | 'webhook.ping'
  /** Состояние доставки. */
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  /** Сколько было попыток. */
  attempts: number
  /** Когда была последняя попытка; null, если не было. */
  last_attempt_at: string | null
  /** Код ответа; 0 — ответа не было. */
  last_status_code?: number | undefined
  /** Почему попытка не удалась. */
  last_error?: string | undefined
  /** Когда следующая попытка; null, если её не будет. */
  next_attempt_at: string | null
  /** Когда создана. */
  created_at: string
  payload?: Event | undefined
}

/** Страница журнала доставок. */
export interface DeliveryPage {
  /** Страница списка. */
  items: Array<Delivery>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Попытки одной доставки. */
export interface AttemptList {
  /** Попытки по порядку. */
  items: Array<LoggedAttempt>
}

/** Событие поставлено в очередь ещё раз. */
export interface QueuedResend {
  /** Новая доставка того же события. */
  delivery_id: string
  /** Событие. */
  event_id: string
  /** Что сделано. */
  message: string
}

/** Что отправить ещё раз. */
export interface ResendDraft {
  /** Начало периода: время RFC 3339 или дата YYYY-MM-DD. Считается время события. */
  since: string
  /** Конец периода, не включая его; без него — сейчас. */
  until?: string | undefined
  /** FAILED — только события, доставка которых по этой подписке не удалась. Без него — все события её типов, которые она не получила, и те, что были до её создания. */
  status?: 'FAILED' | undefined
}

/** События поставлены в очередь ещё раз. */
export interface QueuedResends {
  /** Сколько событий поставлено в очередь. */
  queued: number
  /** true — это наибольшее за один запрос (10000): повторите его. */
  has_more: boolean
  /** Что сделано. */
  message: string
}

/** Страница ленты событий. */
export interface EventFeedPage {
  /** События, старые первыми. */
  items: Array<Event>
  /** Передайте в after следующего запроса, с теми же types. Есть всегда и не устаревает после перезапуска. */
  next_after: string
  /** true — дальше есть ещё: запросите сразу. */
  has_more: boolean
}

/** Тестовый ключ. */
export interface SandboxKey {
  /** Тестовый ключ. Нигде не хранится: потеряли — получите новый. */
  key: string
  /** Через сколько без запросов песочница вернётся к исходному сценарию. */
  expires_after_idle: string
  /** Описание интерфейса. */
  docs: string
}

/** Итог действия. */
export interface SandboxMessage {
  /** Что сделано. */
  message: string
}

/** Что произошло в песочнице. */
export interface SandboxTrigger {
  /** Имя ситуации. */
  trigger: 'receipt_confirmed' | 'receipt_completed' | 'receipt_with_shortage' | 'order_new' | 'order_cancelled' | 'order_delivered' | 'mark_refused' | 'shipment_handed_over' | 'shipment_accepted' | 'goods_in_question' | 'sync_error' | 'sync_restored' | 'unknown_status' | 'goods_without_barcode' | 'empty_stock'
  /** Объекты, которые изменились; первый — тот, о котором ситуация. */
  touched: Array<{
    /** Вид объекта. */
    object: 'receipt' | 'order' | 'shipment' | 'stock_item' | 'cabinet'
    /** Его id; у остатка — штрихкод. */
    id: string
  }>
  /** Что сделано. */
  message: string
}

/** На сколько продвинуть время склада. */
export interface SandboxAdvance {
  /** Сколько часов склада проходит. */
  hours: number
}

/** Что произошло за это время. */
export interface SandboxAdvanced {
  /** Сколько часов прошло. */
  hours: number
  /** Сколько ваших заявок посчитано. */
  completed_receipts: number
  /** Сколько заказов появилось. */
  new_orders: number
  /** Сколько отгрузок передано маркетплейсу. */
  handed_over_shipments: number
  /** Что сделано. */
  message: string
}

/** Новый приёмник. */
export interface SandboxReceiverDraft {
  /** Ответы по порядку; последний повторяется дальше. */
  answers: Array<string>
}

/** Приёмник создан. */
export interface CreatedSandboxReceiver {
  /** Идентификатор приёмника. */
  id: string
  /** Адрес для POST /v1/webhooks. */
  url: string
}

/** Приёмник и что в него пришло. */
export interface SandboxReceiver {
  /** Идентификатор приёмника. */
  id: string
  /** Адрес для POST /v1/webhooks. */
  url: string
  /** Ответы по порядку; последний повторяется дальше. */
  answers: Array<string>
  /** Что пришло, новые первыми, не больше 100. */
  requests: Array<{
    /** Когда пришёл. */
    at: string
    /** Заголовки. */
    headers: Record<string, string>
    /** Тело, как пришло: подпись считают от него. */
    body: string
    /** Подпись верна. */
    signature_valid: boolean
    /** Что ответил приёмник. */
    answer: string
  }>
}

/** Событие receipt.created. */
export interface ReceiptCreatedEvent {
  /** Событие: одно значение на все его повторы. */
  id: string
  /** Тип события. */
  type: 'receipt.created'
  /** Когда произошло. */
  occurred_at: string
  data: Receipt
}

/** Событие receipt.confirmed. */
export interface ReceiptConfirmedEvent {
  /** Событие: одно значение на все его повторы. */
  id: string
  /** Тип события. */
  type: 'receipt.confirmed'
  /** Когда произошло. */
  occurred_at: string
  data: Receipt
}

/** Событие receipt.status_changed. */
export interface ReceiptStatusChangedEvent {
  /** Событие: одно значение на все его повторы. */
  id: string
  /** Тип события. */
  type: 'receipt.status_changed'
  /** Когда произошло. */
  occurred_at: string
  data: {
    object: Receipt
    /** Состояние до события. */
    previous_status: 'PENDING_CONFIRMATION' | 'EXPECTED' | 'RECEIVING' | 'RECEIVED' | 'RECEIVED_WITH_DISCREPANCY'
  }
}

/** Событие receipt.completed. */
export interface ReceiptCompletedEvent {
  /** Событие: одно значение на все его повторы. */
  id: string
  /** Тип события. */
  type: 'receipt.completed'
  /** Когда произошло. */
  occurred_at: string
  data: Receipt
}

/** Событие shipment.status_changed. */
export interface ShipmentStatusChangedEvent {
  /** Событие: одно значение на все его повторы. */
  id: string
  /** Тип события. */
  type: 'shipment.status_changed'
  /** Когда произошло. */
  occurred_at: string
  data: {
    object: Shipment
    /** Состояние до события. */
    previous_status: 'ASSEMBLING' | 'HANDED_OVER' | 'ACCEPTED'
  }
}

/** Событие order.status_changed. */
export interface OrderStatusChangedEvent {
  /** Событие: одно значение на все его повторы. */
  id: string
  /** Тип события. */
  type: 'order.status_changed'
  /** Когда произошло. */
  occurred_at: string
  data: {
    object: Order
    /** Состояние до события. */
    previous_status: 'NEW' | 'ASSEMBLING' | 'IN_DELIVERY' | 'COMPLETED' | 'CANCELLED' | 'OTHER'
  }
}

/** Событие webhook.ping. */
export interface WebhookPingEvent {
  /** Событие: одно значение на все его повторы. */
  id: string
  /** Тип события. */
  type: 'webhook.ping'
  /** Когда произошло. */
  occurred_at: string
  data: {
    /** Подписка. */
    webhook_id: string
    /** Текст для человека. */
    message: string
  }
}

/** Параметры вызова «Остатки на складе». */
export interface ListStockQuery {
  /** Точный штрихкод. */
  barcode?: string | undefined
  /** Часть названия или артикула, без учёта регистра; е и ё — одно и то же. */
  search?: string | undefined
  /** Сверх спецификации 1.1. Слова из названия, артикула или штрихкода товара: в любом порядке и регистре, с е вместо ё, в любой раскладке клавиатуры. */
  words?: string | undefined
  /** Сверх спецификации 1.1. Только товары с единицами под вопросом (`in_question`) или те, которых маркетплейс показывает больше, чем доступно (`shows_more`): сумма `marketplace_stock` одного маркетплейса больше `available`, а у набора — и с теми, что соберутся из частей (`parts_allow` в `GET /v1/goods`). */
  selection?: 'in_question' | 'shows_more' | undefined
  /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Остатки на прошлый момент». */
export interface ListStockHistoryQuery {
  /** На какой момент: не раньше первого движения товара и не позже текущего времени. Движения самого момента учтены. */
  at: string
  /** Точный штрихкод. */
  barcode?: string | undefined
  /** Часть названия или артикула, без учёта регистра; е и ё — одно и то же. */
  search?: string | undefined
  /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Сроки годности». */
export interface ListLotsQuery {
  /** Точный штрихкод. */
  barcode?: string | undefined
  /** Только партии в этом состоянии; expiring — срок истёк или скоро истечёт. */
  state?: 'expired' | 'soon' | 'good' | 'unknown' | 'expiring' | undefined
  /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Заказы». */
export interface ListOrdersQuery {
  /** Маркетплейс; без него — все. */
  marketplace?: 'WB' | 'OZON' | undefined
  /** Статус; без него — все. */
  status?: 'NEW' | 'ASSEMBLING' | 'IN_DELIVERY' | 'COMPLETED' | 'CANCELLED' | 'OTHER' | undefined
  /** Заказы одной отгрузки, по её id (не external_id). */
  shipment_id?: string | undefined
  /** Точный штрихкод. */
  barcode?: string | undefined
  /** Точный номер в кабинете. Сверх спецификации 1.1. */
  external_id?: string | undefined
  /** Сверх спецификации 1.1. Слова из названия, артикула или штрихкода товара: в любом порядке и регистре, с е вместо ё, в любой раскладке клавиатуры. Товар в любой строке заказа; total с ними считается до 10 000. */
  words?: string | undefined
  /** Созданы не раньше. */
  created_from?: string | undefined
  /** Созданы раньше этого времени. */
  created_to?: string | undefined
  /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Приёмки». */
export interface ListReceiptsQuery {
  /** Состояние; без него — все. */
  status?: 'PENDING_CONFIRMATION' | 'EXPECTED' | 'RECEIVING' | 'RECEIVED' | 'RECEIVED_WITH_DISCREPANCY' | undefined
  /** Точный номер документа из вашей заявки. Сверх спецификации 1.1. */
  external_ref?: string | undefined
  /** Созданы не раньше. */
  created_from?: string | undefined
  /** Созданы раньше этого времени. */
  created_to?: string | undefined
  /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Отгрузки». */
export interface ListShipmentsQuery {
  /** Маркетплейс; без него — все. */
  marketplace?: 'WB' | 'OZON' | undefined
  /** Состояние; без него — все. */
  status?: 'ASSEMBLING' | 'HANDED_OVER' | 'ACCEPTED' | undefined
  /** Точный номер в кабинете. Сверх спецификации 1.1. */
  external_id?: string | undefined
  /** Открыты не раньше. */
  created_from?: string | undefined
  /** Открыты раньше этого времени. */
  created_to?: string | undefined
  /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Принятые возвраты». */
export interface ListReturnsQuery {
  /** Состояние; без него — все. */
  status?: 'OPEN' | 'FINISHED' | undefined
  /** Начаты не раньше. */
  created_from?: string | undefined
  /** Начаты раньше этого времени. */
  created_to?: string | undefined
  /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Показатели за период». */
export interface GetMetricsQuery {
  /** Начало периода, включительно. */
  from?: string | undefined
  /** Конец периода, не включая. */
  to?: string | undefined
}

/** Параметры вызова «Начисления». */
export interface ListChargesQuery {
  /** Дни услуг не раньше этого. */
  from?: string | undefined
  /** Дни услуг раньше этого, не включая. */
  to?: string | undefined
  /** Один расчётный период: день его месяца. */
  period?: string | undefined
  /** Код услуги. */
  service?: string | undefined
  /** За что: вид и идентификатор, например order:01a2…; и то, что к нему начислили вручную. */
  source?: string | undefined
  /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Сколько начислено». */
export interface SumChargesQuery {
  /** Дни услуг не раньше этого. */
  from?: string | undefined
  /** Дни услуг раньше этого, не включая. */
  to?: string | undefined
  /** Один расчётный период: день его месяца. */
  period?: string | undefined
  /** Код услуги. */
  service?: string | undefined
  /** За что: вид и идентификатор, например order:01a2…; и то, что к нему начислили вручную. */
  source?: string | undefined
}

/** Параметры вызова «Акты». */
export interface ListActsQuery {
  /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Акт файлом». */
export interface GetActFileQuery {
  /** pdf, html — страница для печати, 1c — CSV для загрузки в 1С; без него решает заголовок Accept, иначе pdf. */
  format?: 'pdf' | 'html' | '1c' | undefined
}

/** Параметры вызова «Лента событий». */
export interface ListEventsQuery {
  /** next_after прошлого ответа. Без параметра — с самого старого события, которое хранится; latest — без событий, только позиция конца ленты. Передавайте его с теми же types: он стоит и за событиями других типов. Сброс песочницы делает его негодным. */
  after?: string | undefined
  /** Типы событий через запятую; без него — все. */
  types?: string | undefined
  /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
  limit?: number | undefined
  /** Сколько секунд ждать первого события, если новых нет. Ждать могут до 5 запросов ключа. */
  wait?: number | undefined
}

/** Параметры вызова «Товары и наборы». */
export interface ListGoodsQuery {
  /** Точный штрихкод. */
  barcode?: string | undefined
  /** true — только наборы, false — только товары, которые не наборы. */
  is_set?: 'true' | 'false' | undefined
  /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}

/** Параметры вызова «Журнал доставок». */
export interface ListDeliveriesQuery {
  /** Состояние; без него — все. */
  status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined
  /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
  limit?: number | undefined
  /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
  cursor?: string | undefined
}
