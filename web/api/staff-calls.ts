// Made from openapi/staff.json by "npm run openapi".

import type {
  ReasonCount,
  Notices,
  UnreadNotices,
  ReadNotices,
  NoticeSettings,
  NoticeSettingsDraft,
  NoticeEmail,
  NoticeEmailCode,
  TelegramLink,
  Webhook,
  ApiKey,
  KeyRequest,
  KeyRequestList,
  SellerMember,
  SellerInvitation,
  CreatedInvitation,
  PasswordLink,
  MarketplaceStock,
  Metrics,
  ChargeSource,
  ChargeSummary,
  MonthForecast,
  BillingPeriods,
  Act,
  ActPage,
  CallEntry,
} from './account-calls.ts'

export type {
  ReasonCount,
  Notice,
  Notices,
  UnreadNotices,
  ReadNotices,
  NoticeSettings,
  NoticeSettingsDraft,
  NoticeEmail,
  NoticeEmailCode,
  TelegramLink,
  Webhook,
  ApiKey,
  KeyRequest,
  KeyRequestList,
  SellerMember,
  SellerInvitation,
  CreatedInvitation,
  PasswordLink,
  MarketplaceStock,
  Metrics,
  ChargeSource,
  ChargedService,
  ChargedDay,
  BillingPeriod,
  ChargeSummary,
  MonthForecast,
  BillingPeriods,
  Act,
  ActPage,
  CallEntry,
} from './account-calls.ts'

/** Ошибка. */
export interface ApiError {
  error: {
    /** Код ошибки: по нему строят логику, он не меняется. */
    code: 'unauthorized' | 'key_revoked' | 'rate_limited' | 'not_found' | 'bad_request' | 'bad_cursor' | 'internal' | 'validation_error' | 'cabinet_required' | 'mixed_marking' | 'write_disabled' | 'warehouse_unavailable' | 'webhook_url_unverified' | 'webhook_limit' | 'webhooks_unavailable' | 'sandbox_only' | 'conflict' | 'forbidden' | 'device_revoked' | 'password_required' | 'unavailable' | 'marketplace_unavailable'
    /** Что случилось, по-русски; текст может измениться. */
    message: string
    /** Поля, которые названы в message, если он о полях. */
    fields?: Array<{
      /** Поле или параметр, например items[3].qty. В файле file.3.B — строка и столбец; file.3 — строка, в которой чего-то не хватает. */
      path: string
      /** Что не так, без имени поля: текст для подписи под ним. */
      message: string
    }> | undefined
    /** То же, что в заголовке X-Request-Id. */
    request_id: string
  }
}

/** Объект и как его называют люди. */
export interface ObjectName {
  /** receipt — приёмка, order — заказ, shipment — отгрузка, picking_task — задание на сборку, return_batch — приём возвратов, count — пересчёт, box — короб, pallet — паллета, location — место, client — клиент, cabinet — кабинет, key — ключ API, webhook — подписка, user — сотрудник, device — терминал, print_station — станция печати. */
  kind: 'receipt' | 'order' | 'shipment' | 'picking_task' | 'return_batch' | 'count' | 'box' | 'pallet' | 'location' | 'client' | 'cabinet' | 'key' | 'webhook' | 'user' | 'device' | 'print_station'
  /** Идентификатор. */
  id: string
  /** Номер или название; пусто, если у объекта их нет. */
  title: string
}

/** Кто что делает. */
export interface PersonAtWork {
  /** Пользователь. */
  user_id: string
  /** Его имя; без имени — логин. */
  name: string
  /** receiving — принимает, picking — собирает, checking — проверяет упаковку, returns — принимает возвраты, counting — пересчитывает, placing — раскладывает. */
  work: 'receiving' | 'picking' | 'checking' | 'returns' | 'counting' | 'placing'
  object?: ObjectName | undefined
  /** Сканов этой работы за последний час. */
  scans: number
  /** Последний скан. */
  last_at: string
}

/** Партия товара на складе. */
export interface StockLot {
  /** Клиент. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Штрихкод товара. */
  barcode: string
  /** Название товара. */
  name: string
  /** Артикул; null, если нет. */
  article: string | null
  /** Меньше стольких дней — скоро истечёт. */
  warn_days: number
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
  /** Где лежит, не больше десяти мест. */
  places: Array<{
    /** Код места; null, если неизвестно. */
    location_code: string | null
    /** Номер короба; null: вне коробов. */
    sscc: string | null
    /** Единиц этой партии здесь. */
    quantity: number
  }>
}

/** Сколько единиц под вопросом столько времени. */
export interface QuestionAge {
  /** Под вопросом не меньше стольких суток. */
  days_from: number
  /** И меньше стольких; у последней строки поля нет. */
  days_to?: number | undefined
  /** Единиц. */
  units: number
  /** Разных товаров. */
  goods: number
}

/** Здоровье вебхуков: подписки сейчас и доставки за сутки. */
export interface WebhookHealth {
  /** Подписок, которые работают. */
  healthy: number
  /** Подписок, у которых последняя попытка не удалась. */
  failing: number
  /** Отключённых подписок. */
  disabled: number
  /** Доставок за сутки, которые ещё ждут. */
  pending: number
  /** Доставок за сутки, которые удались. */
  delivered: number
  /** Доставок за сутки, которые не удались. */
  failed: number
}

/** Доставки вебхуков за час. */
export interface WebhookHour {
  /** Начало часа. */
  at: string
  /** Доставок событий этого часа, которые удались. */
  delivered: number
  /** Которые не удались, хотя бы пока: ждут повтора или больше не пробуются. */
  undelivered: number
}

/** Кто работает сейчас. */
export interface PeopleAtWork {
  /** По людям, последний скан первым. */
  items: Array<PersonAtWork>
}

/** Скан из очереди терминала, который не принят и ждёт решения менеджера. */
export interface ScanException {
  /** Идентификатор исключения. */
  id: string
  /** Клиент. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** receipt_scan — скан приёмки, pick — скан сборки, pack_check — проверка упаковки, return_scan — скан возврата, return_scan_of_day — он же без номера приёма возвратов, count_scan — скан пересчёта, location_put, location_take и location_move — положили на место, взяли с него, переложили; box_put, box_take и box_move — то же с коробом; box_place и pallet_place — поставили короб или паллету. */
  kind: 'receipt_scan' | 'pick' | 'pack_check' | 'return_scan' | 'return_scan_of_day' | 'count_scan' | 'location_put' | 'location_take' | 'location_move' | 'box_put' | 'box_take' | 'box_move' | 'box_place' | 'pallet_place'
  /** Что отсканировали, по-русски. */
  kind_label: string
  /** Приёмка, задание на сборку, отгрузка, приём возвратов, пересчёт, место, короб или паллета; у return_scan_of_day — клиент. */
  object_id: string
  /** Номер скана от терминала. */
  scan_id: string
  /** Скан, каким его прислал терминал. */
  scan: unknown
  /** Когда отсканировали, по часам терминала. */
  queued_at: string
  /** Логин того, кто отсканировал; null, если терминал его не назвал. */
  queued_by: string | null
  /** Его имя; null, если такого пользователя нет. */
  queued_by_name: string | null
  /** Почему скан не принят. */
  reason: string
  /** Когда скан пришёл и не был принят. */
  created_at: string
  /** Кто его прислал: `staff:<id>`. */
  sent_by: string
  /** OPEN — ждёт решения, RESOLVED — решено. */
  status: 'OPEN' | 'RESOLVED'
  decision: 'accepted' | 'entered' | 'dismissed' | null
  /** Комментарий к решению. */
  comment: string | null
  /** Когда решено. */
  resolved_at: string | null
  /** Кто решил: `staff:<id>`. */
  resolved_by: string | null
}

/** Страница исключений. */
export interface ScanExceptionPage {
  /** Страница списка. */
  items: Array<ScanException>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Решение менеджера. */
export interface ExceptionResolution {
  /** accepted — скан принимается сейчас, вашим именем; entered — единицы уже учтены вручную: корректировкой, новым сканом, новой приёмкой; dismissed — учитывать нечего. */
  decision: 'accepted' | 'entered' | 'dismissed'
  /** Что выяснили и что сделали. */
  comment: string
}

/** Заявки на ключи API, поданные клиентами в личном кабинете. */
export interface WaitingKeyRequests {
  /** Сколько заявок на ключ ждёт решения. */
  total: number
  /** Заявки, сначала самые давние; не больше 50. */
  items: Array<{
    /** Заявка. */
    request_id: string
    /** Юридическое лицо. */
    client_id: string
    /** Его название. */
    client_name: string
    /** Имя ключа. */
    name: string
    /** Когда подана. */
    created_at: string
  }>
}

/** Что ждёт внимания склада. */
export interface Today {
  /** Приёмки, которые ждут решения менеджера. Видны менеджерам. */
  receipts?: {
    /** Сколько приёмок ждут менеджера. */
    total: number
    /** Приёмки, сначала самые давние; не больше 50. */
    items: Array<{
      /** Чего ждёт: confirmation — заявка продавца подтверждения, approval — приёмка без документа решения менеджера; до него её единицы под вопросом. */
      waits_for: 'confirmation' | 'approval'
      /** Приёмка. */
      receipt_id: string
      /** Её номер. */
      number: string
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Сколько единиц заявлено. */
      expected_qty: number
      /** Сколько единиц уже посчитано. */
      accepted_qty: number
      /** Плановая дата поставки; null, если не указана. */
      planned_date: string | null
      /** Когда пришла заявка или привезли товар. */
      created_at: string
    }>
  } | undefined
  /** Сканы из очередей терминалов, которые склад не принял, и единицы, чей код не принял маркетплейс. */
  exceptions?: {
    /** Сколько исключений ждёт решения. */
    total: number
    /** Исключения, сначала самые давние; не больше 50. */
    items: Array<{
      /** Исключение. */
      exception_id: string
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** receipt_scan — скан приёмки, pick — скан сборки, pack_check — проверка упаковки, return_scan — скан возврата, return_scan_of_day — он же без номера приёма возвратов, count_scan — скан пересчёта, location_put, location_take и location_move — положили на место, взяли с него, переложили; box_put, box_take и box_move — то же с коробом; box_place и pallet_place — поставили короб или паллету. */
      kind: 'receipt_scan' | 'pick' | 'pack_check' | 'return_scan' | 'return_scan_of_day' | 'count_scan' | 'location_put' | 'location_take' | 'location_move' | 'box_put' | 'box_take' | 'box_move' | 'box_place' | 'pallet_place'
      /** Почему скан не принят. */
      reason: string
      /** Когда он пришёл. */
      created_at: string
      /** true — это единица, чей код маркировки не принял маркетплейс: её сняли с заказа и отложили. false — скан из очереди терминала. */
      set_aside: boolean
    }>
  } | undefined
  /** Товары, которых сборщики не нашли, пока менеджер не решил, что делать. */
  misses?: {
    /** Сколько ненайденных товаров ждёт решения. */
    total: number
    /** Товары, сначала с самым близким сроком заказа; не больше 50. */
    items: Array<{
      /** Ненайденный товар. */
      miss_id: string
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Заказ, которому его не хватает. */
      order_id: string
      /** Номер заказа в кабинете. */
      order_external_id: string
      /** Отгрузка, которую собирают. */
      shipment_id: string
      /** Её номер в кабинете. */
      shipment_external_id: string
      /** Штрихкод товара. */
      barcode: string
      /** Название товара. */
      name: string
      /** Сколько единиц не нашли. */
      qty: number
      /** Причина по-русски. */
      reason_label: string
      /** Где искали; null, если терминал места не назвал. */
      place: {
        /** Место; если неизвестно, поля нет. */
        location_id?: string | undefined
        /** Код места на этикетке. */
        location_code?: string | undefined
        /** Короб; у единиц вне коробов поля нет. */
        box_id?: string | undefined
        /** Его номер на этикетке. */
        sscc?: string | undefined
      } | null
      /** Когда сообщили. */
      at: string
      /** До какого времени заказ нужно передать; null, если срока нет. */
      deadline: string | null
    }>
  } | undefined
  /** Заказы в открытых отгрузках, коды единиц которых маркетплейс не принял. */
  refused_marks?: {
    /** Скольким заказам нужно заменить единицу. */
    total: number
    /** Заказы, сначала с самым близким сроком; не больше 50. */
    items: Array<{
      /** Заказ, единицу которого нужно заменить. */
      order_id: string
      /** Номер заказа в кабинете. */
      order_external_id: string
      /** Маркетплейс. */
      marketplace: 'WB' | 'OZON'
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Отгрузка, которую это держит. */
      shipment_id: string
      /** Её номер в кабинете. */
      shipment_external_id: string
      /** Название товара; если не приняты разные, одного из них. */
      name: string
      /** Сколько единиц заказа не приняты. */
      units: number
      /** Что не принято и почему, по-русски. */
      reason: string
      /** До какого времени заказ нужно передать; null, если срока нет. */
      deadline: string | null
    }>
  } | undefined
  key_requests?: WaitingKeyRequests | undefined
  /** Приёмки, которые считают или ждут. */
  receiving: {
    /** Сколько приёмок считают или ждут. */
    total: number
    /** Приёмки, сначала начатые, потом по плановой дате; не больше 50. */
    items: Array<{
      /** Приёмка. */
      receipt_id: string
      /** Её номер. */
      number: string
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** RECEIVING — считают, EXPECTED — ждут привоза. */
      status: 'RECEIVING' | 'EXPECTED'
      /** Приёмка без документа. */
      walk_in: boolean
      /** Сколько единиц заявлено. */
      expected_qty: number
      /** Сколько единиц уже посчитано. */
      accepted_qty: number
      /** Плановая дата поставки; null, если не указана. */
      planned_date: string | null
    }>
  }
  /** Отгрузки, которые ещё не переданы. */
  shipments: {
    /** Сколько отгрузок собирают. */
    total: number
    /** Отгрузки, сначала с самым близким сроком; не больше 50. */
    items: Array<{
      /** Отгрузка. */
      shipment_id: string
      /** Её номер в кабинете. */
      external_id: string
      /** Маркетплейс. */
      marketplace: 'WB' | 'OZON'
      /** Задание на сборку; null, если её собирают в кабинете. */
      picking_task_id: string | null
      /** Логин того, кто взял задание; null, если оно свободно. */
      claimed_by: string | null
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Самый ранний срок её заказов; null, если срока нет. */
      deadline: string | null
      /** Сколько полных минут до срока; меньше нуля — срок прошёл; null, если срока нет. */
      minutes_left: number | null
      /** Сколько заказов в отгрузке, без отменённых. */
      orders_count: number
      /** Сколько из них собрано. */
      packed_count: number
    }>
  }
  /** Где сейчас заказы, которые должны уехать, и сколько уехало сегодня. */
  flow: {
    /** Когда посчитано: при многих тысячах заказов — несколько секунд назад. */
    counted_at: string
    /** По этапам и маркетплейсам; этапов без заказов нет. */
    items: Array<{
      /** Этап. to_pick: ни в одной отгрузке. picking: в отгрузке, не собраны. checking: собраны, упаковку проверяют. ready: можно передавать. handed_over: переданы сегодня. accepted: приняты маркетплейсом сегодня. В отгрузке, где упаковку не проверяют, собранные сразу ready. */
      stage: 'to_pick' | 'picking' | 'checking' | 'ready' | 'handed_over' | 'accepted'
      /** Сколько заказов. */
      orders_count: number
      /** Сколько в них единиц. */
      units: number
      /** Самый ранний срок; null, если срока нет или они уже уехали. */
      deadline: string | null
      /** Маркетплейс. */
      marketplace: 'WB' | 'OZON'
    }>
  }
  /** Заказы, которых нет ни в одной отгрузке. */
  to_pick: {
    /** Когда посчитано: при многих тысячах заказов — несколько секунд назад. */
    counted_at: string
    /** Сколько заказов ждут отгрузки. */
    total: number
    /** Сколько в них единиц. */
    units: number
    /** Самый ранний срок; null, если срока нет. */
    deadline: string | null
    /** По кабинетам, сначала с самым близким сроком; не больше 50. */
    items: Array<{
      /** Кабинет. */
      cabinet_id: string
      /** Его название. */
      cabinet_name: string
      /** Маркетплейс. */
      marketplace: 'WB' | 'OZON'
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Сколько заказов ждут отгрузки. */
      orders_count: number
      /** Сколько в них единиц. */
      units: number
      /** Самый ранний срок этих заказов; null, если срока нет. */
      deadline: string | null
    }>
  }
  /** Товары, которых на складе меньше, чем заказано. */
  uncovered: {
    /** Когда посчитано: при многих тысячах заказов — несколько секунд назад. */
    counted_at: string
    /** Скольких товаров не хватает. */
    total: number
    /** Скольких единиц не хватает. */
    units: number
    /** Товары, сначала с самым близким сроком; не больше 50. */
    items: Array<{
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Штрихкод; у товаров, чей штрихкод неизвестен, поля нет. */
      barcode?: string | undefined
      /** Название; если склад такого товара не знает, поля нет. */
      name?: string | undefined
      /** Сколько единиц в заказах, для которых на складе ещё ничего не отложено. */
      ordered: number
      /** Сколько единиц свободно. */
      free: number
      /** Скольких не хватает. */
      missing: number
      /** Почему: что есть на складе и чем занято. */
      reason: string
      /** В скольких заказах этот товар. */
      orders_count: number
      /** Самый ранний срок этих заказов; null, если срока нет. */
      deadline: string | null
    }>
  }
  /** Товары под вопросом: их число или владельца нужно выяснить. */
  in_question: {
    /** Когда посчитано: если товаров тысячи — несколько секунд назад. */
    counted_at: string
    /** Сколько товаров под вопросом. */
    total: number
    /** Сколько единиц под вопросом. */
    units: number
    /** Товары, сначала с самыми давними единицами; не больше 50. */
    items: Array<{
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Штрихкод. */
      barcode: string
      /** Название. */
      name: string
      /** Сколько единиц под вопросом. */
      units: number
      /** С какого времени: самая давняя из них. */
      since: string
    }>
  }
  /** Партии, срок годности которых истёк или скоро истечёт. */
  expiring: {
    /** Когда посчитано: если партий тысячи — несколько секунд назад. */
    counted_at: string
    /** Сколько партий. */
    total: number
    /** Партии, сначала те, чей срок раньше; не больше 50. */
    items: Array<StockLot>
  }
  /** Возвраты, которых ждёт склад. */
  returns: {
    /** Когда посчитано, что ждут и где: если возвратов тысячи — несколько секунд назад. */
    counted_at: string
    /** Сколько единиц можно забрать. */
    ready: number
    /** Сколько единиц едут. */
    on_the_way: number
    /** Сколько партий возвратов принимают. */
    open_batches: number
    /** Приёмы возвратов, которые идут, сначала самые давние; не больше 50. */
    batches: Array<{
      /** Приём возвратов. */
      return_id: string
      /** Его номер. */
      number: string
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Сколько единиц ждут. */
      expected_qty: number
      /** Сколько единиц уже приняли, вместе с теми, кого не ждали. */
      came_qty: number
      /** Когда начат. */
      created_at: string
    }>
    /** Где забрать, сначала с самым близким сроком; не больше 50. */
    items: Array<{
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Маркетплейс. */
      marketplace: 'WB' | 'OZON'
      /** Где лежат; null, если маркетплейс не сказал. */
      place_name: string | null
      /** Адрес. */
      place_address: string | null
      /** Сколько единиц можно забрать. */
      units: number
      /** Когда первые из них утилизируют; null, если срок не назван. */
      disposal_at: string | null
    }>
  }
  /** Начатые пересчёты. */
  counts: {
    /** Сколько пересчётов не закончено. */
    total: number
    /** Пересчёты, сначала те, что ждут решения, потом посчитанные, потом давние; не больше 50. */
    items: Array<{
      /** Пересчёт. */
      count_id: string
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** COUNTING — считают, REVIEW — посчитано, и менеджер решает о расхождениях. */
      status: 'COUNTING' | 'REVIEW'
      /** Когда начали считать. */
      started_at: string
      /** Когда все, кто считал, сказали, что закончили; null, пока считают. */
      counted_at: string | null
      /** Кто посчитал; пусто, пока считают. */
      counted_by: Array<string>
    }>
  }
  /** Подключённые кабинеты, которые ждут внимания. */
  cabinets: {
    /** Сколько подключённых кабинетов ждут внимания. */
    total: number
    /** Кабинеты, сначала самые срочные; не больше 50. */
    items: Array<{
      /** Кабинет. */
      cabinet_id: string
      /** Его название. */
      name: string
      /** Маркетплейс. */
      marketplace: 'WB' | 'OZON'
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** `credentials_refused` — ключи не приняты, `sync_error` — не удалась последняя синхронизация, `warehouses_not_chosen` — склады не выбраны, и новые заказы не загружаются, `credentials_expiring` — ключи скоро истекут. */
      problems: Array<'credentials_refused' | 'sync_error' | 'warehouses_not_chosen' | 'credentials_expiring'>
      /** Почему не удалась последняя синхронизация; иначе поля нет. */
      sync_error?: string | undefined
      /** До какого времени действуют ключи; если неизвестно, поля нет. */
      credentials_expire_at?: string | undefined
    }>
  }
  /** Отключённые подписки продавцов: события им не приходят. */
  webhooks: {
    /** Сколько подписок отключено. */
    total: number
    /** Подписки, сначала отключённые последними; не больше 50. */
    items: Array<{
      /** Подписка. */
      webhook_id: string
      /** Юридическое лицо. */
      client_id: string
      /** Его название. */
      client_name: string
      /** Адрес. */
      url: string
      /** Когда отключена. */
      disabled_at: string
      /** Почему; если причина неизвестна, поля нет. */
      disabled_reason?: string | undefined
    }>
  }
}

/** Путь заказов по маркетплейсам, клиентам или складам. */
export interface GroupedFlow {
  /** Когда посчитано: при многих тысячах заказов — несколько секунд назад. */
  counted_at: string
  /** По чему разбито. */
  by: 'marketplace' | 'client' | 'warehouse'
  /** По этапам, внутри этапа по названию; пустых строк нет. */
  items: Array<{
    /** Этап. to_pick: ни в одной отгрузке. picking: в отгрузке, не собраны. checking: собраны, упаковку проверяют. ready: можно передавать. handed_over: переданы сегодня. accepted: приняты маркетплейсом сегодня. В отгрузке, где упаковку не проверяют, собранные сразу ready. */
    stage: 'to_pick' | 'picking' | 'checking' | 'ready' | 'handed_over' | 'accepted'
    /** Сколько заказов. */
    orders_count: number
    /** Сколько в них единиц. */
    units: number
    /** Самый ранний срок; null, если срока нет или они уже уехали. */
    deadline: string | null
    /** Маркетплейс, клиент или код склада. */
    group: string
    /** Его название. */
    group_name: string
  }>
}

/** Как идёт день: собранные и переданные заказы по часам. */
export interface TodayCurve {
  /** Когда посчитано: при многих тысячах заказов — несколько секунд назад. */
  counted_at: string
  /** Все 24 часа сегодняшних суток по порядку; в будущих часах нули. */
  items: Array<{
    /** Начало часа по Москве. */
    at: string
    /** Сколько заказов собрано. */
    packed: number
    /** Сколько заказов передано. */
    handed_over: number
    /** За тот же час вчера. */
    yesterday: {
      /** Сколько заказов собрано. */
      packed: number
      /** Сколько заказов передано. */
      handed_over: number
    }
  }>
}

/** Сколько чего ждёт. */
export interface WaitingCounters {
  /** Приёмки, которые считают или ждут. */
  receiving: number
  /** Отгрузки, которые собирают. */
  shipments: number
  /** Открытые партии возвратов. */
  returns: number
  /** Начатые пересчёты. */
  counts: number
  /** Приёмки, которые ждут решения менеджера. */
  receipts?: number | undefined
  /** Исключения без решения. */
  exceptions?: number | undefined
  /** Ненайденные товары без решения. */
  misses?: number | undefined
  /** Кабинеты, которые ждут внимания. */
  cabinets?: number | undefined
  /** Заявки на ключи API, которые ждут решения. */
  key_requests?: number | undefined
}

/** Что пришло на склад и ушло с него за период. */
export interface Flow {
  /** Начало, включительно. */
  from: string
  /** Конец, не включая. */
  to: string
  /** Шаг: час или сутки. */
  step: 'hour' | 'day'
  /** Каждый час или сутки по порядку, пустые тоже. */
  items: Array<{
    /** Начало часа или суток по Москве. */
    at: string
    /** Принято единиц за вычетом отменённых сканов. */
    received: number
    /** Вернулось единиц за вычетом отменённых сканов. */
    returned: number
    /** Отгружено единиц. */
    shipped: number
  }>
  /** Недостача приёмок, завершённых за период, по причинам. */
  shortages: Array<ReasonCount>
  /** Не найдено при сборке за период, по причинам. */
  not_found: Array<ReasonCount>
}

/** Показатели склада сейчас. */
export interface FiguresNow {
  /** Единицы под вопросом по возрасту, сначала недавние; пустые строки тоже. */
  in_question: Array<QuestionAge>
  webhooks: WebhookHealth
  /** Доставки вебхуков по часам за двое суток, сначала давние, пустые часы тоже. */
  webhook_hours: Array<WebhookHour>
}

/** Фото, приложенное к объекту. */
export interface StaffPhoto {
  /** Номер фото, который дал терминал. */
  id: string
  /** Адрес снимка на этом сервисе: JPEG. */
  photo: string
  /** Когда снято, по часам терминала. */
  taken_at: string
  /** Когда принято сервисом. */
  created_at: string
  /** Скан единицы, которая на фото; null, если фото обо всём объекте. */
  scan_id: string | null
  /** Кем: `staff:<id>`. */
  created_by: string
}

/** Фото объекта. */
export interface StaffPhotos {
  /** Фото, старые первыми. */
  items: Array<StaffPhoto>
}

/** Токен программы. */
export interface StaffToken {
  /** Идентификатор токена. */
  id: string
  /** Чей это токен. */
  name: string
  /** Начало и конец токена. */
  preview: string
  /** Когда выпущен. */
  created_at: string
  /** Когда им пользовались, с точностью до минуты; null — ещё нет. */
  last_used_at: string | null
  /** Когда отозван; null, если действует. */
  revoked_at: string | null
}

/** Пользователь склада. */
export interface StaffUser {
  /** Идентификатор пользователя. */
  id: string
  /** Логин, строчными буквами. */
  login: string
  /** Имя и фамилия; у кого их нет — логин. */
  name: string
  /** Роль: каждая следующая может всё, что предыдущие. */
  role: 'worker' | 'manager' | 'administrator'
  /** Может ли входить и пользоваться токенами. */
  active: boolean
  /** Задан ли пароль; без него — только токены. */
  has_password: boolean
  /** Задан ли PIN для входа на терминалах. */
  has_pin: boolean
  /** PIN заблокирован после пяти неудач: новый задаст менеджер. */
  pin_locked: boolean
  /** Когда напечатан действующий бейдж; null — бейджа нет. */
  badge_issued_at: string | null
  /** Видит ли менеджер деньги; администратор видит всегда. */
  sees_money: boolean
  /** Коды складов, на которых он работает; пусто — на всех. */
  warehouses: Array<string>
  /** Когда заведён. */
  created_at: string
}

/** Логин и пароль. */
export interface SessionDraft {
  /** Логин. */
  login: string
  /** Пароль. */
  password: string
}

/** Отсканированный бейдж. */
export interface BadgeDraft {
  /** Код с бейджа. */
  badge: string
}

/** Чей это бейдж. */
export interface BadgeHolder {
  /** Логин: с ним и PIN вызовите signInByPin. */
  login: string
  /** Имя. */
  name: string
}

/** Логин и PIN. */
export interface PinSessionDraft {
  /** Логин, хотя бы с бейджа. */
  login: string
  /** PIN. */
  pin: string
}

/** Терминал склада. */
export interface StaffDevice {
  /** Идентификатор терминала. */
  id: string
  /** Название: по нему терминал узнают на складе. */
  name: string
  /** HANDHELD — терминал, на нём входят по PIN; STATION — станция печати, SCREEN — экран на стене: им вход не нужен. */
  purpose: 'HANDHELD' | 'STATION' | 'SCREEN'
  /** Склад, где стоит станция или экран; у терминала null. */
  warehouse_code: string | null
  /** WAITING — ждёт своего кода, ENROLLED — зарегистрирован, REVOKED — отозван. */
  status: 'WAITING' | 'ENROLLED' | 'REVOKED'
  /** Когда заведён. */
  created_at: string
  /** До какого времени действует код регистрации. */
  code_expires_at: string
  /** Когда зарегистрирован; null, если ещё нет. */
  enrolled_at: string | null
  /** Когда им пользовались, с точностью до минуты; null — ещё нет. */
  last_used_at: string | null
  /** Кто входил последним: логин; null — ещё никто. */
  last_login: string | null
  /** Он же по имени; без имени — логин. */
  last_name: string | null
  /** Когда отозван; null, если нет. */
  revoked_at: string | null
}

/** Страница терминалов. */
export interface StaffDevicePage {
  /** Страница списка. */
  items: Array<StaffDevice>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новый терминал. */
export interface StaffDeviceDraft {
  /** Название: по нему терминал узнают на складе. */
  name: string
  /** HANDHELD — терминал, на нём входят по PIN; STATION — станция печати, SCREEN — экран на стене: им вход не нужен. Без него — HANDHELD. */
  purpose?: 'HANDHELD' | 'STATION' | 'SCREEN' | undefined
  /** Склад, где стоит станция или экран: обязателен для них, терминалу не нужен. */
  warehouse_code?: string | undefined
}

/** Терминал, который ждёт регистрации. */
export interface IssuedStaffDevice extends StaffDevice {
  /** Код регистрации: показывается один раз, действует один раз и 15 минут. */
  code: string
  /** Он же QR-кодом для сканера терминала: картинка SVG. */
  qr: string
}

/** Регистрация терминала. */
export interface EnrolmentDraft {
  /** Код, который дал менеджер. */
  code: string
}

/** Устройство, которое работает без входа. */
export interface DeviceHere {
  /** Идентификатор устройства. */
  id: string
  /** Его название. */
  name: string
  /** STATION — станция печати, SCREEN — экран на стене. */
  purpose: 'STATION' | 'SCREEN'
  /** Склад, где оно стоит. */
  warehouse_code: string
}

/** Страница пользователей. */
export interface StaffUserPage {
  /** Страница списка. */
  items: Array<StaffUser>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новый пользователь; без пароля входит только по токенам. */
export interface StaffUserDraft {
  /** Логин. */
  login: string
  /** Имя и фамилия; пусто — без имени. */
  name?: string | undefined
  /** Роль. */
  role: 'worker' | 'manager' | 'administrator'
  /** Пароль; не хранится, хранится его хеш. */
  password?: string | undefined
}

/** Что изменить. */
export interface StaffUserPatch {
  /** Имя и фамилия; пусто — без имени. */
  name?: string | undefined
  /** Роль. */
  role?: 'worker' | 'manager' | 'administrator' | undefined
  /** false: больше не входит, токены отзываются. */
  active?: boolean | undefined
  /** Пароль; не хранится, хранится его хеш. */
  password?: string | undefined
  /** Видит ли менеджер деньги; разрешает администратор. */
  sees_money?: boolean | undefined
}

/** Склады пользователя. */
export interface UserWarehouses {
  /** Коды складов; пустой список — все. */
  warehouse_codes: Array<string>
}

/** Токены пользователя. */
export interface StaffTokens {
  /** Новые первыми, не больше 200. */
  items: Array<StaffToken>
}

/** Новый токен. */
export interface StaffTokenDraft {
  /** Имя: чей это токен; без него — логин пользователя. */
  name?: string | undefined
}

/** Выпущенный токен. */
export interface IssuedStaffToken {
  /** Идентификатор токена. */
  id: string
  /** Сам токен: показывается один раз. */
  token: string
  /** Начало и конец токена. */
  preview: string
}

/** PIN для входа на терминалах. */
export interface PinDraft {
  /** PIN: от 4 до 8 цифр; не хранится, хранится его хеш. null — убрать PIN. */
  pin: string | null
}

/** Сохранённый вид списка. */
export interface ListView {
  /** Идентификатор вида. */
  id: string
  /** Список, к которому он относится. */
  list: string
  /** Название вида. */
  name: string
  /** Фильтры и порядок: строка запроса страницы. */
  query: string
  /** Логин того, кто его сохранил. */
  saved_by: string
  /** Сохранили вы: вид можно изменить и удалить. */
  own: boolean
  /** Когда сохранён. */
  saved_at: string
}

/** Сохранённые виды. */
export interface ListViews {
  /** Сначала ваши, затем по названию. */
  items: Array<ListView>
}

/** Вид списка. */
export interface ListViewDraft {
  /** Список, например orders. */
  list: string
  /** Название вида. */
  name: string
  /** Строка запроса страницы, без знака вопроса. */
  query: string
}

/** Склад. */
export interface Warehouse {
  /** Короткий код склада. */
  code: string
  /** Название склада. */
  name: string
  /** Принимает ли склад заявки; если нет, `POST /v1/receipts` отвечает 502. */
  intake_open: boolean
  /** Когда заведён. */
  created_at: string
}

/** Страница складов. */
export interface WarehousePage {
  /** Страница списка. */
  items: Array<Warehouse>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новый склад. */
export interface WarehouseDraft {
  /** Короткий код: буквы, цифры, точка, дефис, подчёркивание. */
  code: string
  /** Название. */
  name: string
}

/** Приём заявок. */
export interface IntakeSwitch {
  /** Принимает ли склад заявки. */
  open: boolean
}

/** Выключатель вебхуков. */
export interface WebhooksSwitch {
  /** Включено ли. */
  enabled: boolean
}

/** Выключатель обмена с маркетплейсами. */
export interface MarketplacesSwitch {
  /** Включено ли. */
  enabled: boolean
}

/** Выключатель уведомлений. */
export interface NoticesSwitch {
  /** Включено ли. */
  enabled: boolean
}

/** Причина из пополняемого списка. */
export interface Reason {
  /** Для чего: shortage — недостача в приёмке, not_found — товар не найден при сборке, correction — корректировка, списание или расследование. */
  kind: 'shortage' | 'not_found' | 'correction'
  /** Код: заглавные латинские буквы, цифры и подчёркивание. */
  code: string
  /** Название по-русски. */
  label: string
}

/** Страница причин. */
export interface ReasonPage {
  /** Страница списка. */
  items: Array<Reason>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Поручение маркетплейсу. */
export interface RemoteCommand {
  /** Идентификатор поручения. */
  id: string
  /** Что поручено: `create` — создать отгрузку, `fill` — добавить заказы, `remove` — убрать заказ, `deliver` — передать её, `cancel` — отменить, `split` — разделить заказ, `set_boxes` — назвать число его коробок, `add_boxes` и `remove_boxes` — добавить и удалить грузоместа. */
  kind: 'create' | 'fill' | 'remove' | 'deliver' | 'cancel' | 'split' | 'set_boxes' | 'add_boxes' | 'remove_boxes'
  /** Чем кончилось: `asked` — ответа ещё нет, и следующая синхронизация узнает, что вышло. */
  state: 'asked' | 'done' | 'refused'
  /** Название отгрузки, которую создают. */
  name: string | null
  /** Отгрузка; null, пока она не создана. */
  shipment_id: string | null
  /** Сколько заказов добавляют или убирают. */
  orders_count: number
  /** Почему отказано или что стоит знать, по-русски. */
  message: string | null
  /** Когда поручено. */
  asked_at: string
  /** Когда закончено. */
  ended_at: string | null
}

/** Вызов маркетплейса. Имена, адреса, телефоны, комментарии и всё незнакомое заменены значениями того же типа, ключей нет. */
export interface RecordedCall {
  /** Номер записи: растёт. */
  id: number
  /** Когда отправлен запрос. */
  time: string
  /** Метод. */
  method: string
  /** Путь. */
  path: string
  /** Параметры запроса. */
  query: Record<string, string>
  /** Тело запроса без личных данных; null, если его нет. */
  request_body: unknown
  /** Что с телом запроса: `shortened` — списки укорочены, `omitted` — файл или слишком велико; если хранится целиком, поля нет. */
  request_note?: 'shortened' | 'omitted' | undefined
  /** Код ответа; null, если ответа не было. */
  status: number | null
  /** Заголовки ответа, которые важны: тип, лимиты, номер запроса. */
  headers: Record<string, string>
  /** Тело ответа без личных данных; null, если его нет. */
  answer_body: unknown
  /** Что с телом ответа: `shortened` — списки укорочены, `omitted` — файл или слишком велико; если хранится целиком, поля нет. */
  answer_note?: 'shortened' | 'omitted' | undefined
  /** Сколько байт было в ответе. */
  answer_bytes: number
  /** Сколько длился вызов, в миллисекундах. */
  duration_ms: number
  /** Почему ответа не было; null, если был. */
  failure: string | null
}

/** Размеры товара с какого-то дня. */
export interface ProductMeasures {
  /** С какого дня действуют. */
  first_day: string
  /** Длина, см, до миллиметра. */
  length_cm: number
  /** Ширина, см, до миллиметра. */
  width_cm: number
  /** Высота, см, до миллиметра. */
  height_cm: number
  /** Вес, г; null — не взвешен. */
  weight_g: number | null
  /** Объём, л: вверх до 0,1, как считают хранение. */
  litres: number
  /** Когда измерен. */
  measured_at: string
  /** Кто измерил. */
  measured_by: string
}

/** Юридическое лицо. */
export interface Client {
  /** Идентификатор юридического лица. */
  id: string
  /** Название. */
  name: string
  /** ИНН; null, если не заполнен. */
  inn: string | null
  /** Код склада, где лежат товары. */
  warehouse_code: string
  /** Можно ли пользователям клиента заявлять поставки в кабинете. */
  account_receipts: boolean
  /** Когда заведён. */
  created_at: string
}

/** Страница клиентов. */
export interface ClientPage {
  /** Страница списка. */
  items: Array<Client>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новое юридическое лицо; без `warehouse_code` — на первом из складов сотрудника, а если он работает на всех, — на старейшем. */
export interface ClientDraft {
  /** Название. */
  name: string
  /** ИНН: 10 или 12 цифр с верными контрольными. */
  inn?: string | undefined
  /** true — завести второго клиента с тем же ИНН на том же складе; без него это отказ. */
  allow_duplicate_inn?: boolean | undefined
  /** Код склада. */
  warehouse_code?: string | undefined
}

/** Что изменить. */
export interface ClientPatch {
  /** Название. */
  name?: string | undefined
  /** ИНН; null — убрать. */
  inn?: string | null | undefined
  /** true — завести второго клиента с тем же ИНН на том же складе; без него это отказ. */
  allow_duplicate_inn?: boolean | undefined
  /** Код склада. */
  warehouse_code?: string | undefined
  /** Можно ли пользователям клиента заявлять поставки в личном кабинете. */
  account_receipts?: boolean | undefined
}

/** Кабинет на маркетплейсе. */
export interface StaffCabinet {
  /** Идентификатор кабинета. */
  id: string
  /** Юридическое лицо. */
  client_id: string
  /** Название клиента. */
  client_name: string
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
  /** Где собирают новые отгрузки: `ours` — здесь, `mirrored` — в кабинете маркетплейса; `observe` — кабинет только наблюдают. */
  shipments: 'ours' | 'mirrored' | 'observe'
  /** С какого времени кабинет только наблюдают; null, если нет. */
  observed_since: string | null
  /** До какого времени хранятся вызовы маркетплейса; null, если не хранятся. */
  calls_recorded_until: string | null
  /** Заданы ли ключи маркетплейса. */
  has_credentials: boolean
  /** Когда они заданы; null, если их нет. */
  credentials_at: string | null
  /** Что с ключами: нет, ещё не проверены, приняты, скоро истекут (за две недели), не приняты. */
  credentials_state: 'none' | 'unchecked' | 'good' | 'expiring' | 'refused'
  /** Что стоит знать о ключах; если всё в порядке, поля нет. */
  credentials_note?: string | undefined
  /** Что ключу разрешено: категории WB, роли OZON; null, если ещё не известно. */
  credentials_rights: Array<string> | null
  /** Ключ для песочницы маркетплейса. */
  credentials_sandbox: boolean
  credentials_type: 'base' | 'test' | 'personal' | 'service' | null
  /** До какого времени они действуют, если известно. */
  credentials_expire_at: string | null
  /** Номера складов маркетплейса, заказы которых собирают здесь; null — склады не выбраны. */
  warehouses: Array<string> | null
  /** Чего маркетплейс не даёт, хотя остальное обновляется: это не сбой синхронизации, и `sync_error` нет. */
  lacks: Array<{
    /** Что не обновляется. */
    what: string
    /** С какого времени. */
    since: string
    /** Почему маркетплейс этого не даёт. */
    reason: string
    /** Маркетплейс больше суток не знает такого вызова: похоже, он его убрал. */
    withdrawn: boolean
  }>
  /** true: кабинет подключён, а склады не выбраны. Новые его заказы не загружаются: выберите склады (`PATCH /cabinets/{id}`, поле `warehouses`). Единственный склад FBS выбирается сам. */
  needs_warehouses: boolean
  /** Через сколько часов после создания нужно передать заказ, которому маркетплейс не назвал срока; null — срока нет. */
  deadline_hours: number | null
  /** Нужен ли отгрузкам WB пункт: без него их здесь не закрыть. Продавцам не из России он не нужен. */
  shipping_method_required: boolean
  /** Когда заведён. */
  created_at: string
}

/** Страница кабинетов. */
export interface CabinetPage {
  /** Страница списка. */
  items: Array<StaffCabinet>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новый кабинет. */
export interface CabinetDraft {
  /** Маркетплейс. */
  marketplace: 'WB' | 'OZON'
  /** Название кабинета. */
  name: string
  /** WB: `token`; OZON: `client_id` и `api_key`. Хранится зашифрованным. */
  credentials?: {
    /** WB: токен из кабинета. */
    token?: string | undefined
    /** OZON: Client-Id. */
    client_id?: string | undefined
    /** OZON: Api-Key. */
    api_key?: string | undefined
  } | undefined
  /** Где собирают новые отгрузки: `ours` — здесь, `mirrored` — в кабинете маркетплейса. `observe`: кабинет только наблюдают — на маркетплейсе ничего не меняется, остатки тоже, и продавец ничего не видит. По умолчанию `mirrored`, если даны ключи, иначе `ours`. */
  shipments?: 'ours' | 'mirrored' | 'observe' | undefined
}

/** Что изменить; `shipments` сам не меняется. */
export interface CabinetPatch {
  /** Название кабинета. */
  name?: string | undefined
  /** false: больше не синхронизируется. */
  active?: boolean | undefined
  /** Новые ключи маркетплейса; null — убрать. */
  credentials?: {
    /** WB: токен из кабинета. */
    token?: string | undefined
    /** OZON: Client-Id. */
    client_id?: string | undefined
    /** OZON: Api-Key. */
    api_key?: string | undefined
  } | null | undefined
  /** Где собирают отгрузки. На `observe` кабинет переключают без открытых отгрузок; с `observe` — когда угодно: всё, что увидели, сразу видит и продавец. */
  shipments?: 'ours' | 'mirrored' | 'observe' | undefined
  /** Нужен ли отгрузкам WB пункт. false — для продавцов не из России: без пункта отгрузка закроется. */
  shipping_method_required?: boolean | undefined
  /** Номера складов маркетплейса, заказы которых собирают здесь, из `GET /cabinets/{id}/warehouses`; null — снять выбор. Заказы добавленных складов читаются заново; принятые раньше заказы остаются. */
  warehouses?: Array<string> | null | undefined
  /** Через сколько часов после создания нужно передать заказ, если маркетплейс не назвал срока; null — без срока. Действует и на открытые заказы. */
  deadline_hours?: number | null | undefined
}

/** Страница поручений. */
export interface RemoteCommandPage {
  /** Страница списка. */
  items: Array<RemoteCommand>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Что сделал бы наблюдаемый кабинет и сходится ли он с остатком склада. */
export interface CabinetObservation {
  /** Кабинет. */
  cabinet_id: string
  /** С какого времени кабинет наблюдают; null, если нет. */
  observed_since: string | null
  /** Когда наблюдение закончилось в последний раз; null, если ни разу. */
  observed_until: string | null
  /** Заказы, которые видят только сотрудники. */
  orders: {
    /** Сколько заказов продавец увидел бы. */
    total: number
    /** Сколько в них единиц. */
    units: number
    /** В скольких строках товар неизвестен складу: их не собрать. */
    without_barcode: number
    by_status: Array<{
      /** Статус заказа. */
      status: 'NEW' | 'ASSEMBLING' | 'IN_DELIVERY' | 'COMPLETED' | 'CANCELLED' | 'OTHER'
      /** Сколько таких заказов. */
      count: number
    }>
  }
  /** Отгрузки, собранные в кабинете. */
  shipments: {
    /** Сколько отгрузок собирается. */
    open: number
    /** Сколько закрыто. */
    closed: number
    /** Сколько единиц ушло бы со склада с закрытыми. */
    units: number
  }
  /** Цифры маркетплейса рядом с остатком склада. */
  stock: {
    /** По скольким товарам есть что сравнить. */
    barcodes: number
    /** По скольким маркетплейс показывает не то, что свободно на складе. */
    differing: number
    /** Скольких единиц не хватило бы на ждущие заказы. */
    missing_units: number
    /** Где разница больше всего, до 100 товаров. */
    items: Array<{
      /** Штрихкод товара. */
      barcode: string
      /** Название товара; null, если оно неизвестно. */
      name: string | null
      /** Сколько показывает маркетплейс. */
      marketplace_units: number
      /** Сколько свободно на складе по журналу. */
      available: number
      /** Сколько ждут заказы, которые маркетплейс ещё не забрал. */
      needed: number
    }>
  }
}

/** Синхронизация начнётся сразу. */
export interface RequestedSync {
  /** Кабинет. */
  cabinet_id: string
  /** Что будет, по-русски. */
  message: string
}

/** На сколько включить. */
export interface CallRecordingDraft {
  /** Сколько часов хранить вызовы, считая от сейчас, до 168. */
  hours: number
}

/** Страница вызовов. */
export interface RecordedCallPage {
  /** Страница списка. */
  items: Array<RecordedCall>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Вызовы удалены. */
export interface DeletedCalls {
  /** Сколько вызовов удалено. */
  deleted: number
}

/** Склады кабинета на маркетплейсе. */
export interface CabinetWarehouses {
  /** false: склады не выбраны, и заказы не загружаются. */
  chosen: boolean
  /** Склады продавца на маркетплейсе. */
  items: Array<{
    /** Номер склада на маркетплейсе. */
    id: string
    /** Название; если неизвестно, поля нет. */
    name?: string | undefined
    /** Состояние словом маркетплейса; если неизвестно, поля нет. */
    status?: string | undefined
    /** `fbs` или другая схема; выбрать можно только склады FBS. */
    scheme?: string | undefined
    /** false: маркетплейс такого склада больше не называет. */
    listed: boolean
    /** Заказы этого склада собирают здесь. */
    ours: boolean
    /** Сколько его заказов за 14 дней не принято сюда. */
    left_out: number
  }>
  /** Сколько заказов за 14 дней не принято, потому что продавец доставляет их сам, а склад не назван. */
  left_out_elsewhere: number
  /** Заказы за 14 дней, которые продавец доставляет сам, по схемам, сначала частые. Их здесь не собирают и не отгружают; в `left_out` они тоже посчитаны. */
  left_out_schemes: Array<{
    /** Схема, как у маркетплейса: у OZON — `integration_type_flow`, например `aggregator`. */
    scheme: string
    /** Сколько таких заказов. */
    orders: number
  }>
}

/** Страница ключей. */
export interface ApiKeyPage {
  /** Страница списка. */
  items: Array<ApiKey>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новый ключ. */
export interface ApiKeyDraft {
  /** Имя: чья это интеграция. */
  name: string
  /** Открыть ли ключу `POST /v1/receipts`; по умолчанию нет. */
  receipts_enabled?: boolean | undefined
}

/** Выпущенный ключ. */
export interface IssuedApiKey extends ApiKey {
  /** Сам ключ: показывается один раз. */
  key: string
}

/** Что изменить. */
export interface ApiKeyPatch {
  /** Имя: чья это интеграция. */
  name?: string | undefined
  /** Открыт ли ключу `POST /v1/receipts`. */
  receipts_enabled?: boolean | undefined
}

/** Отказ в ключе. */
export interface KeyRequestDecline {
  /** Почему: клиент прочитает это в личном кабинете. */
  reason: string
}

/** Кто работает в личном кабинете клиента и кого позвали. */
export interface ClientUsers {
  /** По логину. */
  users: Array<SellerMember>
  /** Приглашения, новые первыми, не больше 200. */
  invitations: Array<SellerInvitation>
}

/** Новое приглашение. */
export interface InvitationDraft {
  /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
  role: 'viewer' | 'receipts' | 'owner'
  /** Для кого: имя или адрес. */
  note: string
}

/** Новая роль. */
export interface SellerMemberPatch {
  /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
  role: 'viewer' | 'receipts' | 'owner'
}

/** Для чего ссылка. */
export interface PasswordLinkDraft {
  /** true — по ссылке вход станет без одноразового кода: если потерян телефон. false — коды останутся. */
  drops_codes: boolean
}

/** Подписки клиента. */
export interface ClientWebhooks {
  /** Новые первыми, не больше десяти. */
  items: Array<Webhook>
}

/** Товар клиента. */
export interface Product {
  /** Клиент. */
  client_id: string
  /** Штрихкод: у клиента свой у каждого товара. */
  barcode: string
  /** Артикул продавца; если нет, поля нет. */
  article?: string | undefined
  /** Название. */
  name: string
  /** Подлежит ли обязательной маркировке. */
  honest_mark: boolean
  /** Когда товар стал известен складу. */
  created_at: string
  /** Штрихкод товара, с которым этот объединили: дальше всё у того; если не объединяли, поля нет. */
  merged_into?: string | undefined
  /** Другие штрихкоды этого же товара; если их нет, поля нет. */
  other_barcodes?: Array<string> | undefined
  /** Адрес картинки товара на этом сервисе; если её нет, поля нет. */
  picture?: string | undefined
  /** true: картинку загрузил склад, и она важнее той, что на карточке; иначе поля нет. */
  picture_uploaded?: boolean | undefined
  /** Из чего набор, по возрастанию штрихкода; у товара, который не набор, поля нет. */
  parts?: Array<{
    /** Штрихкод части. */
    barcode: string
    /** Её название. */
    name: string
    /** Сколько в наборе. */
    qty: number
  }> | undefined
  /** Сколько наборов выйдет из свободных единиц частей, кроме уже собранных; у товара, который не набор, поля нет. */
  parts_allow?: number | undefined
}

/** Страница товаров. */
export interface ProductPage {
  /** Страница списка. */
  items: Array<Product>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Товар, каким он должен стать. */
export interface ProductDraft {
  /** Название. */
  name: string
  /** Артикул продавца; null или без поля — артикула нет. */
  article?: string | null | undefined
  /** Подлежит ли обязательной маркировке; без поля — как было, у нового товара — нет. */
  honest_mark?: boolean | undefined
}

/** Размеры товара по дням, с которых они действуют. */
export interface MeasuresList {
  /** Размеры, последние первыми. */
  items: Array<ProductMeasures>
}

/** Размеры одной единицы. */
export interface MeasuresDraft {
  /** Длина, см, до миллиметра. */
  length_cm: number
  /** Ширина, см, до миллиметра. */
  width_cm: number
  /** Высота, см, до миллиметра. */
  height_cm: number
  /** Вес, г; null или без поля — не взвешен. */
  weight_g?: number | null | undefined
  /** С какого дня действуют; без поля — с сегодня. */
  first_day?: string | undefined
}

/** Что сделано по таблице размеров. */
export interface ImportedMeasures {
  /** С какого дня действуют. */
  first_day: string
  /** Сколько товаров в таблице. */
  products: number
  /** У скольких из них размеры с этого дня теперь другие. */
  changed: number
}

/** Что сделано по таблице наборов. */
export interface ImportedSets {
  /** Сколько наборов в таблице. */
  sets: number
  /** У скольких из них состав теперь другой. */
  changed: number
}

/** Что в таблице наборов и что в ней не так. */
export interface SetsFileCheck {
  /** Какой лист книги прочитан; null — лист в файле один. */
  sheet: string | null
  /** Сколько наборов в таблице. */
  sets: number
  /** У скольких из них состав станет другим. */
  changed: number
  /** Наборы, которые изменятся, не больше 100. */
  changes: Array<{
    /** Штрихкод набора. */
    barcode: string
    /** Его название. */
    name: string
    /** Сейчас это не набор. */
    is_new: boolean
    /** Из чего он будет, по порядку таблицы. */
    parts: Array<{
      /** Штрихкод части. */
      barcode: string
      /** Её название. */
      name: string
      /** Сколько в наборе. */
      qty: number
    }>
  }>
  /** Ошибки по порядку, не больше 50. */
  problems: Array<{
    /** Строка. */
    row: number
    /** Буквы столбца; null — нужного столбца в таблице нет. */
    column: string | null
    /** Что не так. */
    rule: string
  }>
}

/** Что перейдёт при объединении товаров. */
export interface MergingPlan {
  /** Товар, который исчезнет из списков. */
  barcode: string
  /** Его название. */
  name: string
  /** Товар, который останется. */
  into: string
  /** Сколько единиц перейдёт. */
  units: number
  /** Сколько из них в резерве. */
  reserved: number
  /** В скольких коробах они лежат. */
  boxes: number
  /** На скольких местах они лежат без короба. */
  locations: number
  /** Сколько штрихкодов перейдёт: и свой, и другие. */
  barcodes: number
  /** Сколько заказов, которые ещё не уехали, перейдёт. */
  orders: number
  /** Сколько незаконченных приёмок перейдёт. */
  receipts: number
  /** Почему объединить нельзя и что сделать; если можно, поля нет. */
  refusal?: string | undefined
}

/** Страница партий. */
export interface StockLotPage {
  /** Страница списка. */
  items: Array<StockLot>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Учёт срока годности товара и его партии. */
export interface ProductLots {
  /** Меньше стольких дней — скоро истечёт; null: срок годности у товара не учитывается. */
  warn_days: number | null
  /** Партии, сначала те, чей срок ближе; не больше 500. */
  items: Array<StockLot>
}

/** Учёт срока годности. */
export interface LotSettingDraft {
  /** Предупреждать, когда осталось меньше стольких дней. */
  warn_days?: number | undefined
}

/** Исправление срока годности. */
export interface LotChangeDraft {
  /** Ваш номер записи, один на клиента: такой же ещё раз ничего не меняет. */
  entry_id: string
  /** Срок, который записан сейчас; null: неизвестен. */
  expires_on: string | null
  /** Номер партии, который записан сейчас. */
  lot_number?: string | undefined
  /** Верный срок: 31.12.2027 или 2027-12-31. */
  to_expires_on: string
  /** Верный номер партии. */
  to_lot_number?: string | undefined
  /** Сколько единиц. */
  qty: number
}

/** Из чего состоит набор. */
export interface PartsDraft {
  /** Все части набора, каждая один раз; пустой список — товар больше не набор. */
  parts: Array<{
    /** Любой штрихкод части, товара этого же клиента. */
    barcode: string
    /** Сколько единиц в одном наборе. */
    qty: number
  }>
}

/** Строка приёмки. */
export interface StaffReceiptItem {
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
  /** Другие штрихкоды этого же товара; если их нет, поля нет. */
  other_barcodes?: Array<string> | undefined
  /** Адрес картинки товара на этом сервисе; если её нет, поля нет. */
  picture?: string | undefined
  /** Маркируется ли товар по его карточке: заявка может говорить другое. null: товар складу ещё не известен. */
  card_honest_mark: boolean | null
  /** У товара учитывается срок годности; если нет, поля нет. */
  asks_expiry?: boolean | undefined
  /** Товара в заявке не было: все его единицы под вопросом, пока менеджер не решит. */
  unlisted: boolean
  /** Предупреждение: этот товар заявлен и в других незавершённых приёмках клиента. Проверьте, не одна ли это поставка. Если таких нет, поля нет. */
  also_expected_in?: Array<{
    /** Идентификатор другой приёмки. */
    id: string
    /** Её номер. */
    number: string
    /** Её состояние. */
    status: 'PENDING_CONFIRMATION' | 'EXPECTED' | 'RECEIVING' | 'RECEIVED' | 'RECEIVED_WITH_DISCREPANCY'
    /** Сколько единиц этого товара заявлено в ней. */
    expected_qty: number
  }> | undefined
}

/** Скан и строка, которую он считал. */
export interface ReceiptScan {
  /** Номер скана, который дал терминал. */
  scan_id: string
  /** Штрихкод строки. */
  barcode: string
  /** Название товара. */
  name: string
  /** Сколько единиц посчитано этим сканом. */
  qty: number
  /** Код маркировки единицы; у немаркируемых поля нет. */
  marking_code?: string | undefined
  /** Короб, в который положены единицы; если не положены, поля нет. */
  box_id?: string | undefined
  /** Когда. */
  scanned_at: string
  /** Кто: `staff:<id>` или `robot`. */
  scanned_by: string
  /** Он же словами; есть в списке. */
  scanned_by_name?: string | undefined
  /** Скан отменён и не считается. */
  undone: boolean
  /** Когда отменён; null, если не отменён. */
  undone_at: string | null
  /** Кем отменён; null, если не отменён. */
  undone_by: string | null
  /** Он же словами; есть в списке. */
  undone_by_name?: string | null | undefined
  /** Заявлено единиц в строке. */
  expected_qty: number
  /** Посчитано единиц в строке, теперь. */
  accepted_qty: number
  /** Из них сверх заявленного: они под вопросом. У товара, которого в приёмке нет, — все, пока менеджер не решит. */
  in_question_qty: number
}

/** Приёмка, как её видит склад. */
export interface StaffReceipt {
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
  /** Номер документа продавца. */
  external_ref?: string | undefined
  /** Комментарий. */
  comment?: string | undefined
  /** Плановая дата поставки: полночь по Москве; null, если не указана. */
  planned_date: string | null
  /** Когда менеджер подтвердил заявку из API; иначе null. */
  confirmed_at: string | null
  /** Клиент. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Кабинет; null, если не указан. */
  cabinet_id: string | null
  /** Приёмка без документа: её единицы под вопросом, пока менеджер не одобрит. */
  walk_in: boolean
  /** Когда менеджер одобрил приёмку без документа; иначе null. */
  approved_at: string | null
  /** Когда менеджер отменил приёмку; иначе null. */
  cancelled_at: string | null
  /** Почему отменена; null, если не сказано. */
  cancel_comment: string | null
  /** Скольких единиц не хватает, по строкам; 0, пока приёмка не завершена. */
  short_qty: number
  /** Сколько пришло сверх заявки, по строкам; 0, пока приёмка не завершена. */
  surplus_qty: number
  /** Версия заявки, пока она ждёт подтверждения: продавец может изменить её. */
  version?: string | undefined
  /** Состав; в списке поля нет. */
  items?: Array<StaffReceiptItem> | undefined
}

/** Страница приёмок. */
export interface StaffReceiptPage {
  /** Страница списка. */
  items: Array<StaffReceipt>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Подтверждение заявки. */
export interface ReceiptConfirm {
  /** version приёмки, которую вы посмотрели; другая не подтвердится. */
  version?: string | undefined
}

/** Конец приёмки. */
export interface ReceiptFinish {
  /** Причины: по одной на каждую строку, где принято меньше заявленного. */
  shortages?: Array<{
    /** Штрихкод строки. */
    barcode: string
    /** Код причины из GET /reasons, вид shortage. */
    reason: string
  }> | undefined
}

/** Отмена приёмки. */
export interface ReceiptCancel {
  /** Почему: для склада, продавец не увидит. */
  comment?: string | undefined
}

/** Приёмка от менеджера. */
export interface StaffReceiptDraft {
  /** Кабинет клиента; единственный подставляется сам. */
  cabinet_id?: string | undefined
  /** Номер документа продавца, для склада. */
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
    /** Подлежит ли товар маркировке; одинаково для всех строк. Если не указано, решает карточка товара. */
    honest_mark?: boolean | undefined
  }>
}

/** Что в таблице товаров и что в ней не так. */
export interface GoodsFileCheck {
  /** Какой лист книги прочитан; null — лист в файле один. */
  sheet: string | null
  /** Столбцы, которые читаются, слева направо. */
  columns: Array<{
    /** Буквы столбца. */
    letter: string
    /** Поле товара, которое читают из столбца. */
    field: 'barcode' | 'name' | 'article' | 'qty' | 'honest_mark'
  }>
  /** Первые 100 строк и все строки с ошибками, по порядку. */
  rows: Array<{
    /** Номер строки в таблице. */
    row: number
    /** Что стоит в этих столбцах, не длиннее 60 знаков. */
    cells: Array<string>
  }>
  /** Ошибки по порядку, не больше 50. */
  problems: Array<{
    /** Строка. */
    row: number
    /** Буквы столбца; null — нужного столбца в таблице нет. */
    column: string | null
    /** Что не так. */
    rule: string
  }>
  /** Сколько строк с товаром прочитано. */
  rows_count: number
  /** Сколько в них единиц, не считая строк с ошибками. */
  units: number
}

/** Страница сканов. */
export interface ReceiptScanPage {
  /** Страница списка. */
  items: Array<ReceiptScan>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Скан: нужен barcode или marking_code, или оба. */
export interface ScanDraft {
  /** Номер скана от терминала: повтор с тем же номером ничего не меняет. */
  scan_id: string
  /** Штрихкод строки приёмки. */
  barcode?: string | undefined
  /** Код маркировки единицы, как его передал сканер. Строка находится по GTIN кода; если штрихкод товара внутренний, передайте и barcode. */
  marking_code?: string | undefined
  /** Сколько единиц; у маркированных товаров только 1. */
  qty?: number | undefined
  /** Короб, в который кладут эти единицы: id или SSCC. */
  box_id?: string | undefined
  /** Название товара, которого нет ни в приёмке, ни на складе, ни в карточках кабинетов: его вводит сотрудник. Для известных товаров не используется. */
  name?: string | undefined
  /** Срок годности этих единиц: 31.12.2027, 311227, 12.2027 или 2027-12-31. Для товаров, у которых он учитывается; без него читается из кода маркировки, а если его нет и там, срок неизвестен. */
  expires_on?: string | undefined
  /** Номер партии с упаковки; только вместе с expires_on. */
  lot_number?: string | undefined
  /** Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя принять, он становится исключением для менеджера, ответ 202. */
  queued_at?: string | undefined
  /** Логин того, кто сделал скан из очереди. Отключённого — решит менеджер. */
  queued_by?: string | undefined
  /** true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если склад уже принял этот скан, он остаётся принятым. */
  hand_over?: boolean | undefined
}

/** Чем кончился скан или его отмена. */
export interface ScanResult extends ReceiptScan {
  /** Повтор: этот запрос ничего не изменил. */
  repeated: boolean
}

/** Приёмка без документа. */
export interface WalkInDraft {
  /** Чей товар приехал: идентификатор клиента. */
  client_id: string
  /** Кабинет клиента; без него — единственный, если он один. */
  cabinet_id?: string | undefined
  /** Комментарий: его увидит и продавец. */
  comment?: string | undefined
  /** Номер от терминала: повтор с тем же номером вернёт ту же приёмку. */
  scan_id?: string | undefined
}

/** Единицы одного товара. */
export interface StoredUnits {
  /** Штрихкод товара. */
  barcode: string
  /** Название товара. */
  name: string
  /** Артикул продавца; null, если его нет. */
  article: string | null
  /** Сколько единиц лежит. */
  qty: number
}

/** Где лежат единицы товара. */
export interface LookupPlace {
  /** Место хранения; null, если неизвестно. */
  location_id: string | null
  /** Его код. */
  location_code: string | null
  /** Короб; null у единиц вне коробов. */
  box_id: string | null
  /** Номер короба. */
  sscc: string | null
  /** Сколько единиц. */
  qty: number
}

/** Одно из того, чем может быть код. */
export interface LookupMatch {
  /** goods — товар, box — короб, pallet — паллета, location — место хранения, order — заказ, shipment — отгрузка (поставка), receipt — приёмка, marking_code — код маркировки, return — возврат. */
  kind: 'goods' | 'box' | 'pallet' | 'location' | 'order' | 'shipment' | 'receipt' | 'marking_code' | 'return'
  /** Что это, словами. */
  title: string
  /** Идентификатор объекта; у товара и кода маркировки null. */
  id: string | null
  /** Чьё это; null у места хранения. */
  client_id: string | null
  /** Название клиента. */
  client_name: string | null
  /** Статус или состояние, кодом. */
  status?: string | undefined
  /** Штрихкод товара. */
  barcode?: string | null | undefined
  /** Название товара. */
  name?: string | null | undefined
  /** Артикул продавца. */
  article?: string | null | undefined
  /** Адрес картинки товара на этом сервисе; если её нет, поля нет. */
  picture?: string | undefined
  /** У товара — остаток. */
  quantity?: number | undefined
  /** Из них под вопросом. */
  in_question?: number | undefined
  /** Из них в резерве. */
  reserved?: number | undefined
  /** У товара учитывается срок годности; если нет, поля нет. */
  asks_expiry?: boolean | undefined
  /** Из остатка вне коробов и мест: их можно разложить. */
  loose?: number | undefined
  /** Единиц в коробе, на паллете, в заказе, отгрузке или возврате. */
  units?: number | undefined
  /** Из чего набор, по возрастанию штрихкода; у товара, который не набор, поля нет. */
  parts?: Array<{
    /** Штрихкод части. */
    barcode: string
    /** Её название. */
    name: string
    /** Сколько в наборе. */
    qty: number
  }> | undefined
  /** Сколько наборов выйдет из свободных единиц частей, кроме уже собранных; у товара, который не набор, поля нет. */
  parts_allow?: number | undefined
  /** Склад. */
  warehouse_code?: string | null | undefined
  /** Где стоит короб или паллета. */
  location_code?: string | null | undefined
  /** Заказ, к которому относится код маркировки или возврат. */
  order_id?: string | null | undefined
  /** Отгрузка заказа. */
  shipment_id?: string | null | undefined
  /** Где лежит товар, по порядку обхода; не больше 20 мест. */
  places?: Array<LookupPlace> | undefined
}

/** Товар, найденный по названию. */
export interface NamedGoods {
  /** Чей товар. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Штрихкод. */
  barcode: string
  /** Название товара. */
  name: string
}

/** Короб. */
export interface Box {
  /** Идентификатор короба. */
  id: string
  /** Чьи в нём товары. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Номер SSCC: 18 цифр этикетки; null, если номера нет. */
  sscc: string | null
  /** Паллета, на которой он стоит; null, если ни на какой. */
  pallet_id: string | null
  /** Место хранения, где стоит; null, если не указано. */
  location_id: string | null
  /** Код этого места. */
  location_code: string | null
  /** Единиц в коробе. */
  units: number
  /** Разных товаров в коробе. */
  sku_count: number
  /** Когда заведён. */
  created_at: string
  /** Что лежит, по возрастанию штрихкода; в списке поля нет. */
  contents?: Array<StoredUnits> | undefined
}

/** Страница коробов. */
export interface BoxPage {
  /** Страница списка. */
  items: Array<Box>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новый короб. */
export interface BoxDraft {
  /** Чьи товары будут лежать: идентификатор клиента. */
  client_id: string
  /** На какой паллете стоит: id или SSCC. */
  pallet_id?: string | undefined
}

/** Паллета. */
export interface Pallet {
  /** Идентификатор паллеты. */
  id: string
  /** Чьи на ней товары. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Номер SSCC: 18 цифр этикетки; null, если номера нет. */
  sscc: string | null
  /** Место хранения, где стоит; null, если не указано. */
  location_id: string | null
  /** Код этого места. */
  location_code: string | null
  /** Коробов на паллете, пустые тоже. */
  boxes_count: number
  /** Единиц на паллете. */
  units: number
  /** Разных товаров на паллете. */
  sku_count: number
  /** Когда заведена. */
  created_at: string
  /** Короба с содержимым, новые первыми; в списке поля нет. */
  boxes?: Array<Box> | undefined
  /** Что лежит, по возрастанию штрихкода; в списке поля нет. */
  contents?: Array<StoredUnits> | undefined
}

/** Страница паллет. */
export interface PalletPage {
  /** Страница списка. */
  items: Array<Pallet>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новая паллета. */
export interface PalletDraft {
  /** Чьи товары будут лежать: идентификатор клиента. */
  client_id: string
}

/** Куда поставить короб. */
export interface BoxPatch {
  /** Паллета: id или SSCC; null — снять с паллеты. */
  pallet_id: string | null
}

/** Что положить или взять. */
export interface BoxedDraft {
  /** Штрихкод товара. */
  barcode: string
  /** Сколько единиц. */
  qty: number
  /** Номер скана у терминала: такой же ещё раз ничего не меняет. */
  scan_id?: string | undefined
  /** Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя принять, он становится исключением для менеджера, ответ 202. */
  queued_at?: string | undefined
  /** Логин того, кто сделал скан из очереди. Отключённого — решит менеджер. */
  queued_by?: string | undefined
  /** true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если склад уже принял этот скан, он остаётся принятым. */
  hand_over?: boolean | undefined
}

/** Что и куда переложить. */
export interface BoxMoveDraft extends BoxedDraft {
  /** Другой короб того же клиента: id или SSCC. */
  to_box_id: string
}

/** Какие места: все открытые места склада, зоны или шаблона, не больше 1000. */
export interface LocationLabelsDraft {
  /** Склад. */
  warehouse_code: string
  /** Места этой зоны. */
  zone?: string | undefined
  /** Места с кодами по шаблону, как при заведении мест. */
  pattern?: string | undefined
}

/** Этикетки каких коробов. */
export interface BoxLabelsDraft {
  /** Короба: id или SSCC; печатаются в этом порядке. */
  boxes: Array<string>
}

/** Этикетки каких паллет. */
export interface PalletLabelsDraft {
  /** Паллеты: id или SSCC; печатаются в этом порядке. */
  pallets: Array<string>
}

/** Этикетки каких товаров. */
export interface GoodsLabelsDraft {
  /** Чьи товары: идентификатор клиента. */
  client_id: string
  /** Товары; этикеток вместе до 1000. */
  items: Array<{
    /** Штрихкод товара. */
    barcode: string
    /** Сколько этикеток этого товара. */
    copies: number
    /** Срок годности на этикетке: 31.12.2027 или 2027-12-31. */
    expires_on?: string | undefined
    /** Номер партии на этикетке. */
    lot_number?: string | undefined
  }>
  /** true — клиент попросил об этикетках: их начислят; без поля — нет. */
  charged?: boolean | undefined
  /** Свой номер печати: повтор с ним не начислит этикетки ещё раз. */
  print_id?: string | undefined
}

/** Место хранения: полка, ячейка, участок пола. */
export interface Location {
  /** Идентификатор места. */
  id: string
  /** Склад. */
  warehouse_code: string
  /** Код на этикетке, один на складе. */
  code: string
  /** Зона; пусто, если зон нет. */
  zone: string
  /** Порядок обхода внутри зоны. */
  order: number
  /** false: сюда больше ничего не кладут. */
  active: boolean
  /** Единиц на месте: в коробах и вне их. */
  units: number
  /** Коробов, вместе со стоящими на паллетах. */
  boxes_count: number
  /** Паллет. */
  pallets_count: number
  /** Когда заведено. */
  created_at: string
  /** Что лежит вне коробов: не больше 500; в списке мест поля нет. */
  contents?: Array<{
    /** Чьё это. */
    client_id: string
    /** Название клиента. */
    client_name: string
    /** Штрихкод товара. */
    barcode: string
    /** Название товара. */
    name: string
    /** Артикул продавца; null, если его нет. */
    article: string | null
    /** Сколько единиц лежит вне коробов. */
    qty: number
  }> | undefined
  /** Короба: не больше 500; в списке мест поля нет. */
  boxes?: Array<{
    /** Короб. */
    id: string
    /** Чьё это. */
    client_id: string
    /** Название клиента. */
    client_name: string
    /** Номер SSCC; null, если его нет. */
    sscc: string | null
    /** Паллета, на которой он здесь стоит; null, если сам по себе. */
    pallet_id: string | null
    /** Единиц в нём. */
    units: number
  }> | undefined
  /** Паллеты: не больше 500; в списке мест поля нет. */
  pallets?: Array<{
    /** Паллета. */
    id: string
    /** Чьё это. */
    client_id: string
    /** Название клиента. */
    client_name: string
    /** Номер SSCC; null, если его нет. */
    sscc: string | null
  }> | undefined
}

/** Страница мест хранения. */
export interface LocationPage {
  /** Страница списка. */
  items: Array<Location>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новое место хранения. */
export interface LocationDraft {
  /** Склад. */
  warehouse_code: string
  /** Код, который будет на этикетке: латинские буквы, цифры, точка, дефис, подчёркивание, до 32 знаков. Строчные буквы становятся заглавными. */
  code: string
  /** Зона склада; без неё место вне зон. */
  zone?: string | undefined
  /** Порядок обхода внутри зоны; места с одним порядком идут по кодам. */
  order?: number | undefined
}

/** Что изменить; код не меняется: он напечатан на этикетке. */
export interface LocationPatch {
  /** Зона склада; без неё место вне зон. */
  zone?: string | undefined
  /** Порядок обхода внутри зоны; места с одним порядком идут по кодам. */
  order?: number | undefined
  /** false: больше ничего не кладут; что лежит, остаётся. */
  active?: boolean | undefined
}

/** Много мест сразу; order получает первое, следующие — на один больше. */
export interface LocationPattern {
  /** Склад. */
  warehouse_code: string
  /** Код с диапазонами в фигурных скобках: A-{01..10}-{1..4} — это 40 мест от A-01-1 до A-10-4. Диапазон — из чисел или букв; мест не больше 2000. */
  pattern: string
  /** Зона склада; без неё место вне зон. */
  zone?: string | undefined
  /** Порядок обхода внутри зоны; места с одним порядком идут по кодам. */
  order?: number | undefined
}

/** Что вышло из шаблона. */
export interface LocationsMade {
  /** Сколько мест заведено. */
  created: number
  /** Сколько мест с такими кодами на складе уже было: они не изменились. */
  existing: number
  /** Заведённые места, в порядке обхода. */
  locations: Array<Location>
}

/** Что положить на место или взять с него. */
export interface LocatedDraft {
  /** Номер скана у терминала: такой же ещё раз ничего не меняет. */
  scan_id: string
  /** Чей товар. */
  client_id: string
  /** Штрихкод товара. */
  barcode: string
  /** Сколько единиц. */
  qty: number
  /** Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя принять, он становится исключением для менеджера, ответ 202. */
  queued_at?: string | undefined
  /** Логин того, кто сделал скан из очереди. Отключённого — решит менеджер. */
  queued_by?: string | undefined
  /** true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если склад уже принял этот скан, он остаётся принятым. */
  hand_over?: boolean | undefined
}

/** Что и куда переложить. */
export interface LocationMoveDraft extends LocatedDraft {
  /** Другое место: id или код. */
  to_location_id?: string | undefined
  /** Или короб клиента: id или SSCC. */
  to_box_id?: string | undefined
}

/** Куда поставить. */
export interface PlaceDraft {
  /** Место: id или код; null — снять с места. */
  location_id: string | null
  /** Номер скана у терминала: такой же ещё раз ничего не меняет, и если короб с места уже ушёл. */
  scan_id?: string | undefined
  /** Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя принять, он становится исключением для менеджера, ответ 202. */
  queued_at?: string | undefined
  /** Логин того, кто сделал скан из очереди. Отключённого — решит менеджер. */
  queued_by?: string | undefined
  /** true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если склад уже принял этот скан, он остаётся принятым. */
  hand_over?: boolean | undefined
}

/** Что поставили. */
export interface StandDraft {
  /** Номер короба или паллеты. Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
  sscc: string
  /** Номер скана от терминала: тот же номер ничего не меняет. */
  scan_id: string
  /** Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя принять, он становится исключением для менеджера, ответ 202. */
  queued_at?: string | undefined
  /** Логин того, кто сделал скан из очереди. Отключённого — решит менеджер. */
  queued_by?: string | undefined
  /** true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если склад уже принял этот скан, он остаётся принятым. */
  hand_over?: boolean | undefined
}

/** Чем оказался код. */
export interface CodeLookup {
  /** Что спрашивали. */
  code: string
  /** Что это может быть; каждого вида не больше 20. Пусто: склад такого кода не знает. */
  matches: Array<LookupMatch>
}

/** Товары, найденные по названию. */
export interface NamedGoodsList {
  /** Не больше 20. */
  items: Array<NamedGoods>
}

/** Запись журнала движений. */
export interface StockMovement {
  /** Номер движения у клиента: растёт. */
  id: number
  /** Клиент. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Когда. */
  time: string
  /** Штрихкод товара. */
  barcode: string
  /** Название товара. */
  name: string
  /** Вид движения; return — вернулось на склад, question меняет только единицы под вопросом. */
  kind: 'acceptance' | 'shipment' | 'return' | 'correction' | 'write_off' | 'question'
  /** Единиц пришло (+) или ушло (−). */
  delta: number
  /** Единиц стало (+) или перестало быть (−) под вопросом. */
  question_delta: number
  /** Код причины. */
  reason: string | null
  /** Комментарий. */
  comment: string | null
  /** Приёмка. */
  receipt_id: string | null
  /** Отгрузка. */
  shipment_id: string | null
  /** Заказ. */
  order_id: string | null
  /** Приём возвратов. */
  return_id: string | null
  document?: ObjectName | undefined
  /** Номер записи, который дал тот, кто исправил остаток: к ней можно приложить фото; без номера поля нет. */
  entry_id?: string | undefined
  /** Номер записи (entry_id), к которой приложены фото: GET /clients/{id}/stock-entries/{entry}/photos; без фото поля нет. */
  entry_with_photos?: string | undefined
  /** Кто: `staff:<id>`, `command-line` и другие. */
  actor: string
  /** Он же словами: имя или «робот». */
  actor_name?: string | undefined
}

/** Сборка или разборка набора. */
export interface Assembly {
  /** Идентификатор. */
  id: string
  /** Клиент. */
  client_id: string
  /** ASSEMBLE — части стали наборами, TAKE_APART — наборы стали частями. */
  kind: 'ASSEMBLE' | 'TAKE_APART'
  /** Штрихкод набора. */
  barcode: string
  /** Название набора. */
  name: string
  /** Сколько наборов. */
  qty: number
  /** Части, какими они были тогда, по возрастанию штрихкода. */
  parts: Array<{
    /** Штрихкод части. */
    barcode: string
    /** Её название. */
    name: string
    /** Сколько единиц на все наборы. */
    qty: number
  }>
  /** Комментарий. */
  comment: string | null
  /** Ваш номер записи. */
  entry_id: string | null
  /** Когда. */
  created_at: string
  /** Кто: `staff:<id>` и другие. */
  created_by: string
  /** Он же словами. */
  created_by_name?: string | undefined
  /** Когда отменено; до этого null. */
  undone_at: string | null
}

/** Страница сборок наборов. */
export interface AssemblyPage {
  /** Страница списка. */
  items: Array<Assembly>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Что собрать или разобрать. */
export interface AssemblyDraft {
  /** ASSEMBLE — собрать, TAKE_APART — разобрать. */
  kind: 'ASSEMBLE' | 'TAKE_APART'
  /** Штрихкод набора. */
  barcode: string
  /** Сколько наборов. */
  qty: number
  /** Комментарий. */
  comment?: string | undefined
  /** Ваш номер записи, один на клиента: такой же ещё раз ничего не меняет. */
  entry_id?: string | undefined
}

/** Остаток одного товара клиента. */
export interface StaffStockItem {
  /** Клиент. */
  client_id: string
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
  /** Адрес картинки товара на этом сервисе; если её нет, поля нет. */
  picture?: string | undefined
}

/** Страница остатков. */
export interface StaffStockPage {
  /** Страница списка. */
  items: Array<StaffStockItem>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Единицы товара под вопросом. */
export interface ClientQuestions {
  /** По причинам и приёмкам, давние первыми. */
  items: Array<{
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
    /** Номер этой приёмки. */
    receipt_number?: string | undefined
  }>
}

/** Страница движений; total считается до 100 000. */
export interface StockMovementPage {
  /** Страница списка. */
  items: Array<StockMovement>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Корректировка. */
export interface CorrectionDraft {
  /** Штрихкод товара. */
  barcode: string
  /** Сколько единиц прибавить (+) или убавить (−); не 0. */
  delta: number
  /** Код причины из GET /reasons, kind correction. */
  reason: string
  /** Место, на котором вне коробов единиц стало меньше или больше: id или код. Без него и без короба убавится сначала неразложенное, потом там, где товара меньше всего. */
  location_id?: string | undefined
  /** Или короб, в котором это так: id или SSCC. */
  box_id?: string | undefined
  /** Комментарий для журнала. */
  comment?: string | undefined
  /** Ваш номер записи, один на клиента: такой же ещё раз ничего не меняет, и запрос можно безопасно повторять. */
  entry_id?: string | undefined
}

/** Списание. */
export interface WriteOffDraft {
  /** Штрихкод товара. */
  barcode: string
  /** Сколько единиц. */
  qty: number
  /** Код причины из GET /reasons, kind correction. */
  reason: string
  /** Комментарий для журнала. */
  comment?: string | undefined
  /** Ваш номер записи, один на клиента: такой же ещё раз ничего не меняет, и запрос можно безопасно повторять. */
  entry_id?: string | undefined
}

/** Единицы под вопросом. */
export interface QuestionDraft {
  /** Штрихкод товара. */
  barcode: string
  /** Сколько единиц. */
  qty: number
  /** Код причины из GET /reasons, kind correction. */
  reason: string
  /** Комментарий для журнала. */
  comment?: string | undefined
  /** Ваш номер записи, один на клиента: такой же ещё раз ничего не меняет, и запрос можно безопасно повторять. */
  entry_id?: string | undefined
}

/** Итог расследования. */
export interface ResolutionDraft {
  /** Штрихкод товара. */
  barcode: string
  /** Сколько единиц. */
  qty: number
  /** Чем кончилось: found — единицы снова свободны, written_off — списаны. */
  outcome: 'found' | 'written_off'
  /** Комментарий для журнала. */
  comment?: string | undefined
  /** Ваш номер записи, один на клиента: такой же ещё раз ничего не меняет, и запрос можно безопасно повторять. */
  entry_id?: string | undefined
}

/** Пересчёт: документ инвентаризации. */
export interface StockCount {
  /** Идентификатор пересчёта. */
  id: string
  /** Чьи товары. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Состояние. */
  status: 'DRAFT' | 'COUNTING' | 'REVIEW' | 'CLOSED' | 'CANCELLED'
  /** Состояние по-русски. */
  status_label: string
  /** true: работники не видят, сколько числится. */
  blind: boolean
  /** true: считают по просьбе клиента. */
  for_client: boolean
  /** Что считают; всё пусто — все товары клиента. */
  scope: {
    /** Товары; пусто — все. */
    barcodes: Array<string>
    /** Короба. */
    box_ids: Array<string>
    /** Места хранения. */
    location_ids: Array<string>
  }
  /** Когда заведён. */
  created_at: string
  /** Кем. */
  created_by: string
  /** Когда начали считать. */
  started_at: string | null
  /** Когда отдали на проверку. */
  reviewed_at: string | null
  /** Когда посчитали: все, кто считал, сказали, что закончили; null, пока кто-то считает или никто не начал. Состояние при этом не меняется: на проверку отдаёт менеджер. */
  counted_at: string | null
  /** Когда закрыт или отменён. */
  ended_at: string | null
  /** Кем. */
  ended_by: string | null
  /** Сколько разных товаров посчитано. */
  goods_count: number
  /** Сколько единиц посчитано. */
  units: number
  /** Сколько сканов, без отменённых. */
  scans: number
  /** Строк с расхождением; пока пересчёт слепой, работнику не показывается. */
  differing?: number | undefined
  /** Из них не решено; пока пересчёт слепой, работнику не показывается. */
  undecided?: number | undefined
  /** Короба и места из scope, где считать, по порядку обхода; пусто — считают товары, где бы они ни лежали. В списке поля нет. */
  places?: Array<{
    /** Короб; null, если считают всё место. */
    box_id: string | null
    /** Номер короба на этикетке. */
    sscc: string | null
    /** Место, или где стоит короб; null, если неизвестно. */
    location_id: string | null
    /** Код места на этикетке. */
    location_code: string | null
    /** Зона склада. */
    zone: string | null
    /** Сколько сканов здесь уже сделано. */
    scans: number
  }> | undefined
  /** Какие товары менеджер просит посчитать заново, не больше 5000; есть, пока их считают. В списке поля нет. */
  recount?: Array<{
    /** Штрихкод товара. */
    barcode: string
    /** Название товара. */
    name: string
  }> | undefined
  /** Какие товары ещё никто не посчитал: если отдать на проверку сейчас, они посчитаны за 0; не больше 200. Есть, пока считают товары, а не места; в списке поля нет. */
  uncounted?: Array<{
    /** Штрихкод товара. */
    barcode: string
    /** Название товара. */
    name: string
  }> | undefined
  /** Товары пересчёта, у которых несколько штрихкодов; в списке поля нет. */
  other_barcodes?: Array<{
    /** Штрихкод товара. */
    barcode: string
    /** Другие штрихкоды этого же товара. */
    others: Array<string>
  }> | undefined
  /** Товары пересчёта, срок годности которых учитывается, не больше 5000; в списке поля нет. */
  dated_goods?: Array<{
    /** Штрихкод товара. */
    barcode: string
    /** Название товара. */
    name: string
  }> | undefined
  /** Кто сколько насчитал; в списке поля нет. */
  workers?: Array<{
    /** Кто считал. */
    actor: string
    /** Он же словами. */
    name?: string | undefined
    /** Сколько сканов. */
    scans: number
    /** Сколько единиц. */
    units: number
    /** Последний скан; без сканов — когда закончил. */
    last_at: string
    /** Когда сказал, что считать больше нечего; null — считает. */
    finished_at: string | null
  }> | undefined
  /** По товарам, не больше 5000; в списке поля нет. */
  lines?: Array<{
    /** Штрихкод товара. */
    barcode: string
    /** Название товара. */
    name: string
    /** Сколько насчитали. */
    counted: number
    /** Сколько сканов; 0 — товар никто не считал. */
    scans: number
    /** Сколько числилось, когда считали последний раз; пока пересчёт слепой, работнику не показывается. */
    expected?: number | undefined
    /** Меньше всего числилось, пока считали: склад при этом работал. */
    expected_min?: number | undefined
    /** Больше всего числилось, пока считали. */
    expected_max?: number | undefined
    /** Лишние единицы (+) или недостающие (−); 0 — сошлось. */
    difference?: number | undefined
    /** true: посчитано и отдано на проверку. */
    settled: boolean
    /** Решение: correct — остаток исправлен, in_question — единицы под вопросом, ignore — ничего не изменилось; null — не решено. */
    outcome?: 'correct' | 'in_question' | 'ignore' | null | undefined
    /** Причина решения, код. */
    reason?: string | null | undefined
    /** Когда решено. */
    decided_at?: string | null | undefined
    /** Кто решил. */
    decided_by?: string | null | undefined
    /** Где насчитали. */
    places: Array<{
      /** Короб; null, если единицы вне коробов. */
      box_id: string | null
      /** Его номер. */
      sscc: string | null
      /** Место, где они лежат вне коробов; null, если не указано. */
      location_id: string | null
      /** Его код. */
      location_code: string | null
      /** Сколько насчитали здесь. */
      counted: number
      /** Сколько числилось здесь; пока пересчёт слепой, работнику не показывается. */
      expected?: number | undefined
    }>
  }> | undefined
}

/** Страница пересчётов. */
export interface StockCountPage {
  /** Страница списка. */
  items: Array<StockCount>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новый пересчёт. */
export interface CountDraft {
  /** Чьи товары; не нужен, если в коробах и местах товары одного клиента. */
  client_id?: string | undefined
  /** Что считать; пусто — все товары клиента. */
  scope: {
    /** Только эти товары. */
    barcodes?: Array<string> | undefined
    /** Короба: id или SSCC. */
    boxes?: Array<string> | undefined
    /** Места: id или код, с коробами на них. */
    locations?: Array<string> | undefined
  }
  /** Скрыть от работников, сколько числится; без поля — скрыть. */
  blind?: boolean | undefined
  /** true — по просьбе клиента: посчитанные единицы начислят; без поля — нет. */
  for_client?: boolean | undefined
}

/** Какой счёт закончили или продолжают. */
export interface CountRoundDraft {
  /** reviewed_at пересчёта, каким его видел терминал. Если менеджер с тех пор его проверял, ничего не изменится; без поля — тот, что сейчас. */
  reviewed_at?: string | null | undefined
}

/** Что пересчитать. */
export interface RecountDraft {
  /** Какие товары посчитать заново. */
  barcodes: Array<string>
}

/** Решение по строке. */
export interface LineDecisionDraft {
  /** correct — исправить остаток, in_question — поставить единицы под вопрос, ignore — ничего не менять. */
  outcome: 'correct' | 'in_question' | 'ignore'
  /** Код причины из GET /staff/v1/reasons, kind correction. */
  reason: string
}

/** Сколько единиц видит работник. */
export interface CountScanDraft {
  /** Номер скана от терминала: тот же номер ничего не меняет. */
  scan_id: string
  /** Штрихкод товара или код маркировки единицы, как его прочитал сканер. */
  code: string
  /** Сколько единиц видно; 0 — здесь их нет; по коду маркировки 1. */
  qty: number
  /** Короб, в котором они лежат: id или SSCC. */
  box_id?: string | undefined
  /** Место, где они лежат вне коробов: id или код. */
  location_id?: string | undefined
  /** Срок годности этих единиц, если он учитывается: 31.12.2027 или 2027-12-31; без него читается из кода. При закрытии пересчёта сроки на этом месте становятся такими. */
  expires_on?: string | undefined
  /** Номер партии; только вместе с expires_on. */
  lot_number?: string | undefined
  /** Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя принять, он становится исключением для менеджера, ответ 202. */
  queued_at?: string | undefined
  /** Логин того, кто сделал скан из очереди. Отключённого — решит менеджер. */
  queued_by?: string | undefined
  /** true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если склад уже принял этот скан, он остаётся принятым. */
  hand_over?: boolean | undefined
}

/** Что вышло из скана. */
export interface CountScan {
  /** Номер скана. */
  scan_id: string
  /** true: скан уже был принят, ничего не изменилось. */
  repeated: boolean
  /** true: скан отменён или товар считают заново. */
  undone: boolean
  /** Штрихкод товара. */
  barcode: string
  /** Название товара. */
  name: string
  /** Короб. */
  box_id: string | null
  /** Номер короба. */
  sscc: string | null
  /** Место. */
  location_id: string | null
  /** Код места. */
  location_code: string | null
  /** Сколько единиц в скане. */
  qty: number
  /** Сколько этого товара насчитали всего. */
  counted: number
  /** Сколько числится в этом месте; в слепом пересчёте поля нет. */
  expected?: number | undefined
  /** Когда. */
  at: string
}

/** Заказ, каким его видит склад. */
export interface StaffOrder {
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
  /** Чей это заказ. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Кабинет, в котором он создан. */
  cabinet_id: string
  /** С какого времени заказ ждёт повторной передачи: маркетплейс не нашёл его в отгрузке; null, если не ждёт. */
  reship_since: string | null
  /** Кабинет только наблюдают: продавец заказа не видит, и здесь его не собирают. */
  observed: boolean
  /** true: отгрузки кабинета этого заказа делают на маркетплейсе, здесь их не открывают; иначе поля нет. */
  shipped_elsewhere?: boolean | undefined
  /** Сколько ненайденных товаров заказа ждёт решения менеджера. */
  open_misses: number
  /** До какого времени заказ нужно передать маркетплейсу: по его данным, а если он срока не называет — по правилу кабинета; null, если срока нет. */
  deadline: string | null
  /** До какого времени передача не считается просрочкой; если неизвестно, поля нет. */
  deadline_without_delay?: string | undefined
  /** Во что обходится передача к сроку и после него, сначала ранние; если неизвестно, поля нет. */
  lateness_costs?: Array<{
    /** До какого времени действует; null — дальше без срока. */
    until: string | null
    /** Тариф, как у маркетплейса: `no_discount`, `commission` — доплата, `discount` — скидка. */
    tariff: string
    /** Процент от цены. */
    percent?: number | undefined
    /** Сумма, как у маркетплейса. */
    amount?: string | undefined
    /** Её валюта. */
    currency?: string | undefined
  }> | undefined
  /** Склад продавца, с которого едет заказ; если неизвестен, поля нет. */
  warehouse?: {
    /** Номер склада на маркетплейсе. */
    id: string
    /** Его название; если неизвестно, поля нет. */
    name?: string | undefined
  } | undefined
  /** Схема: `fbs` или имя другой, как у маркетплейса. */
  scheme?: string | undefined
  /** Габаритный тип, как у маркетплейса (WB: 1 — МГТ, 2 — СГТ, 3 — КГТ+). */
  cargo_type?: string | undefined
  /** Трансграничный тип, как у маркетплейса (WB: 0 — нет). */
  cross_border_type?: string | undefined
  /** Комментарий покупателя. */
  comment?: string | undefined
  /** Почему заказ отменён, словами маркетплейса. */
  cancel_reason?: string | undefined
  /** Кто отменил заказ. */
  cancelled_by?: string | undefined
  /** Может ли продавец ещё отменить заказ. */
  cancellable?: boolean | undefined
  /** Коды, которые могут стоять на этикетке заказа. */
  label_codes?: Array<string> | undefined
  /** Номер заказа, от которого отделён этот. */
  parent_external_id?: string | undefined
  /** Номера связанных с ним заказов. */
  related_external_ids?: Array<string> | undefined
  /** В скольких коробках едет заказ. */
  boxes?: number | undefined
  /** true: маркетплейс ждёт число коробок заказа, укажите его до закрытия отгрузки; иначе поля нет. */
  needs_boxes?: boolean | undefined
  /** Все товары заказа; barcode и article самого заказа — из первой строки. */
  lines: Array<{
    /** Штрихкод; если неизвестен, поля нет. */
    barcode?: string | undefined
    /** Артикул продавца; если нет, поля нет. */
    article?: string | undefined
    /** Сколько единиц заказано. */
    qty: number
    /** Сколько из них собрано. */
    picked: number
    /** Название товара; если неизвестно, поля нет. */
    name?: string | undefined
    /** Адрес картинки товара на этом сервисе; если её нет, поля нет. */
    picture?: string | undefined
    /** Набор, вместо которого отложена эта строка; у остальных строк поля нет. */
    set_barcode?: string | undefined
    /** Что маркетплейс требует указать для каждой единицы: `marking_code`, `uin`, `imei`, `gtin`, `expiration`, `customs_declaration`, `rnpt`, `country`, `weight`; новые виды — под именем маркетплейса. */
    required_marks: Array<string>
    /** Что для каждой единицы можно указать; виды те же. */
    optional_marks: Array<string>
  }>
}

/** Страница заказов. */
export interface StaffOrderPage {
  /** Страница списка. */
  items: Array<StaffOrder>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Заказ с его товарами и историей статусов. */
export interface StaffOrderWithHistory extends StaffOrder {
  /** Отгрузки, в которых маркетплейс заказа не нашёл; сначала старые. */
  reshipments: Array<{
    /** Когда заказ вернулся на склад. */
    at: string
    /** Отгрузка, из которой он вернулся. */
    shipment_id: string
    /** Её номер у маркетплейса. */
    supply: string
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

/** Что говорит маркетплейс. */
export interface OrderPatch {
  /** Пара статусов маркетплейса; не переданная половина остаётся прежней. */
  marketplace_status: {
    /** WB: supplierStatus; OZON: status. */
    supplier?: string | undefined
    /** WB: wbStatus; OZON: substatus. */
    buyer?: string | undefined
  }
}

/** Заказы одного клиента, до 5000 за вызов. */
export type OrderDrafts = Array<{
  /** Кабинет клиента. */
  cabinet_id: string
  /** Номер заказа в кабинете: известный заказ не удваивается. */
  external_id: string
  /** Штрихкод товара. */
  barcode?: string | undefined
  /** Артикул продавца; без barcode по нему находится товар, если такой один. */
  article?: string | undefined
  /** Номер товара WB; у заказов OZON не хранится. */
  nm_id?: number | undefined
  /** Оптовый заказ; по умолчанию false. */
  is_b2b?: boolean | undefined
  /** Когда создан, по RFC 3339; по умолчанию — сейчас. */
  created_at?: string | undefined
  /** Пара статусов маркетплейса; не переданная половина остаётся прежней. */
  marketplace_status?: {
    /** WB: supplierStatus; OZON: status. */
    supplier?: string | undefined
    /** WB: wbStatus; OZON: substatus. */
    buyer?: string | undefined
  } | undefined
  /** Если товаров или единиц несколько; вместо barcode и article. */
  lines?: Array<{
    /** Штрихкод товара. */
    barcode?: string | undefined
    /** Артикул продавца; без barcode по нему находится товар, если такой один. */
    article?: string | undefined
    /** Сколько единиц. */
    qty: number
  }> | undefined
}>

/** Что вышло из переданных заказов. */
export interface OrderIntake {
  /** Сколько заказов новых. */
  added: number
  /** У скольких известных изменился статус маркетплейса. */
  changed: number
  /** Заказы, какими они стали, в порядке запроса. */
  items: Array<StaffOrder>
}

/** Как разложить заказ. */
export interface OrderPackages {
  /** Коробки; вместе в них все единицы заказа. */
  packages: Array<Array<{
    /** Штрихкод товара. */
    barcode: string
    /** Сколько единиц. */
    qty: number
  }>>
}

/** Заказы, на которые разделился заказ. */
export interface SplitOrderParts {
  /** Новые заказы. */
  items: Array<StaffOrder>
}

/** Число коробок заказа. */
export interface OrderBoxCount {
  /** Сколько коробок у заказа всего. */
  count: number
}

/** Куда, как и когда поедет отгрузка. */
export interface ShippingMethod {
  /** Номер пункта на маркетплейсе. */
  point_id: number
  /** Название. */
  name: string
  /** Адрес; null, если неизвестен. */
  address: string | null
  /** Город; null, если неизвестен. */
  city: string | null
  /** Вид пункта словом маркетплейса. WB: `pp` — пункт выдачи, ему нужны грузоместа; `sc` — сортировочный центр. */
  kind: string | null
  /** Как отгрузка попадёт в пункт: `selfShipping` — привезём сами, `transportCompany` — привезёт транспортная компания. WB объявлял, что тогда нужна электронная транспортная накладная (ЭТрН): здесь её не вводят, а если её попросит кабинет WB, оформите её там. */
  type: 'selfShipping' | 'transportCompany'
  /** Дата отгрузки, ГГГГ-ММ-ДД; null — день закрытия. */
  date: string | null
}

/** Чего не было на складе, когда отгрузку закрыли. */
export interface ShipmentShortage {
  /** Заказ. */
  order_id: string
  /** Его номер в кабинете маркетплейса. */
  external_id: string
  /** Строка заказа, с единицы. */
  line: number
  /** Штрихкод товара; null, если он неизвестен. */
  barcode: string | null
  /** Артикул продавца, если известен. */
  article: string | null
  /** Название товара; null, если оно неизвестно. */
  name: string | null
  /** Сколько единиц уехало сверх остатка. */
  units: number
}

/** Пункт, который принимает отгрузки. */
export interface ShippingPoint {
  /** Номер пункта на маркетплейсе. */
  id: number
  /** Название. */
  name: string
  /** Адрес; null, если неизвестен. */
  address: string | null
  /** Город; null, если неизвестен. */
  city: string | null
  /** Вид пункта словом маркетплейса. WB: `pp` — пункт выдачи, ему нужны грузоместа; `sc` — сортировочный центр. */
  kind: string | null
  /** Какие габаритные типы принимает: 1 — МГТ, 2 — СГТ, 3 — КГТ+. */
  cargo_types: Array<number>
}

/** Куда по умолчанию едут отгрузки с таким грузом. */
export interface ShippingDefault {
  /** Габаритный тип: 1 — МГТ, 2 — СГТ, 3 — КГТ+. */
  cargo_type: number
  /** Номер пункта на маркетплейсе. */
  point_id: number
  /** Название. */
  name: string
  /** Адрес; null, если неизвестен. */
  address: string | null
  /** Город; null, если неизвестен. */
  city: string | null
  /** Вид пункта словом маркетплейса. WB: `pp` — пункт выдачи, ему нужны грузоместа; `sc` — сортировочный центр. */
  kind: string | null
  /** Как отгрузка попадёт в пункт: `selfShipping` — привезём сами, `transportCompany` — привезёт транспортная компания. WB объявлял, что тогда нужна электронная транспортная накладная (ЭТрН): здесь её не вводят, а если её попросит кабинет WB, оформите её там. */
  type: 'selfShipping' | 'transportCompany'
}

/** Отгрузка, какой её видит склад. */
export interface StaffShipment {
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
  /** Заказы; нет в списке отгрузок. */
  orders?: Array<StaffOrder> | undefined
  /** Чья это отгрузка. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Кабинет, в котором она создана. */
  cabinet_id: string
  /** Кабинет только наблюдают: продавец отгрузки не видит, и остатки она не меняет. */
  observed: boolean
  /** Задание на её сборку; null, если собирали не здесь. */
  picking_task_id: string | null
  /** Сколько единиц увезли сверх остатка, если собирали в кабинете маркетплейса; поимённо — в `GET /shipments/{id}/shortages`. */
  shortage_units: number
  /** Сколько ненайденных товаров её заказов ждёт решения менеджера. */
  open_misses: number
  /** Самый ранний срок её заказов, которые ещё не переданы; null, если таких сроков нет. */
  deadline: string | null
  /** Куда её везут; null, если для неё самой пункт не выбран. */
  shipping_method: ShippingMethod | null
}

/** Страница отгрузок. */
export interface StaffShipmentPage {
  /** Страница списка. */
  items: Array<StaffShipment>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новая отгрузка. */
export interface ShipmentDraft {
  /** Кабинет, заказы которого поедут. */
  cabinet_id: string
  /** Номер отгрузки в кабинете маркетплейса; в кабинете он один. У подключённого кабинета номер даёт маркетплейс, а этот отличает запрос: повтор не создаст вторую поставку. Без него номер — день и место в нём, например `28.11.26-3`. */
  external_id?: string | undefined
  /** Название для людей. */
  name?: string | undefined
  /** Заказы этого кабинета, которые сразу войдут в отгрузку. Подключённому кабинету OZON с несколькими способами доставки они нужны: у отгрузки способ один, и его знают её заказы. */
  order_ids?: Array<string> | undefined
}

/** Отгрузка после добавления заказов. */
export interface FilledShipment extends StaffShipment {
  /** Заказы, которые маркетплейс не принял; остальные в отгрузке. Если приняты все, поля нет. */
  refused_orders?: Array<{
    /** Номер заказа на маркетплейсе. */
    external_id: string
    /** Почему маркетплейс его не принял, по-русски. */
    reason: string
  }> | undefined
}

/** Что добавить в отгрузку. */
export interface JoiningOrders {
  /** Идентификаторы заказов, без повторов. */
  order_ids: Array<string>
}

/** Приёмка маркетплейсом. */
export interface Acceptance {
  /** Когда маркетплейс её принял, по RFC 3339; по умолчанию — сейчас. */
  accepted_at?: string | undefined
}

/** Чего не хватило, по заказам. */
export interface ShipmentShortages {
  items: Array<ShipmentShortage>
}

/** Заказы, которые ждут отгрузки. */
export interface WaitingOrders {
  /** Сначала с самым близким сроком, без срока — последними; не больше 1000. */
  items: Array<StaffOrder>
}

/** Что может уехать сейчас, сначала самое срочное. */
export interface DayShipment {
  /** Заказы, которые могут уехать вместе: их и принимает `openShipment`. */
  leaving: Array<{
    /** Заказ. */
    order_id: string
    /** Его номер на маркетплейсе. */
    external_id: string
    /** Его срок; null, если срока нет. */
    deadline: string | null
    /** Что в нём. */
    goods: string
    /** Сколько в нём единиц. */
    units: number
  }>
  /** Остальные. */
  staying: Array<{
    /** Заказ. */
    order_id: string
    /** Его номер на маркетплейсе. */
    external_id: string
    /** Его срок; null, если срока нет. */
    deadline: string | null
    /** Что в нём. */
    goods: string
    /** Сколько в нём единиц. */
    units: number
    /** Что мешает, по-русски. */
    reason: string
  }>
}

/** Заказы, которые должны уехать вместе. */
export interface ChosenOrders {
  /** Идентификаторы заказов, без повторов. */
  order_ids: Array<string>
  /** Открытая отгрузка того же кабинета; без поля откроется новая. */
  shipment_id?: string | undefined
}

/** Что вышло из выбранных заказов. */
export interface ShippedOrders {
  /** Отгрузка с заказами, которые вошли; null, если не вошёл ни один. */
  shipment: FilledShipment | null
  /** Выбранные заказы, которые не вошли. */
  staying: Array<{
    /** Заказ. */
    order_id: string
    /** Его номер на маркетплейсе. */
    external_id: string
    /** Что мешает, по-русски. */
    reason: string
  }>
}

/** Пункты города. */
export interface ShippingPointList {
  /** Пункты. */
  items: Array<ShippingPoint>
}

/** Пункты кабинета по умолчанию. */
export interface ShippingDefaultList {
  /** По одному на тип. */
  items: Array<ShippingDefault>
}

/** Пункты кабинета вместо прежних. */
export interface ShippingDefaultsDraft {
  /** Все пункты кабинета, по одному на габаритный тип. */
  items: Array<{
    /** Габаритный тип: 1 — МГТ, 2 — СГТ, 3 — КГТ+. */
    cargo_type: number
    /** Номер пункта из `GET /cabinets/{id}/shipping-points`. */
    point_id: number
    /** Как отгрузка попадёт в пункт: `selfShipping` — привезём сами, `transportCompany` — привезёт транспортная компания. WB объявлял, что тогда нужна электронная транспортная накладная (ЭТрН): здесь её не вводят, а если её попросит кабинет WB, оформите её там. */
    type?: 'selfShipping' | 'transportCompany' | undefined
  }>
}

/** Куда, как и когда везти отгрузку. */
export interface ShippingMethodDraft {
  /** Номер пункта из `GET /cabinets/{id}/shipping-points`. */
  point_id: number
  /** Дата отгрузки, ГГГГ-ММ-ДД; без неё — день закрытия. Если она пройдёт, уйдёт день закрытия. */
  date?: string | undefined
  /** Как отгрузка попадёт в пункт: `selfShipping` — привезём сами, `transportCompany` — привезёт транспортная компания. WB объявлял, что тогда нужна электронная транспортная накладная (ЭТрН): здесь её не вводят, а если её попросит кабинет WB, оформите её там. */
  type?: 'selfShipping' | 'transportCompany' | undefined
}

/** Грузоместа отгрузки в пункт выдачи. */
export interface ShipmentBoxList {
  /** Грузоместа отгрузки. */
  items: Array<{
    /** Номер грузоместа на маркетплейсе. */
    id: string
  }>
  /** Сколько их может быть: не больше половины числа заказов, но хотя бы одно. */
  max: number
}

/** Сколько грузомест нужно отгрузке. */
export interface ShipmentBoxesDraft {
  /** Сколько грузомест должно быть всего, вместе с теми, что уже есть. */
  count: number
}

/** Задание на сборку отгрузки. */
export interface PickingTask {
  /** Идентификатор задания. */
  id: string
  /** Чьи это заказы. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Маркетплейс отгрузки. */
  marketplace: 'WB' | 'OZON'
  /** Отгрузка, которую собирают. */
  shipment_id: string
  /** Её номер в кабинете маркетплейса. */
  shipment_external_id: string
  /** OPEN: собирается; DONE: отгрузка закрыта. */
  status: 'OPEN' | 'DONE'
  /** Когда открыто. */
  opened_at: string
  /** Когда отгрузка закрыта; до этого null. */
  done_at: string | null
  /** Сколько заказов в отгрузке, не считая отменённых. */
  orders_count: number
  /** Сколько из них собрано. */
  packed_count: number
  /** Сколько заказов отгрузки отменено: их собирать не нужно. */
  cancelled_count: number
  /** Самый ранний срок её непереданных заказов; null, если сроков нет. */
  deadline: string | null
  /** Кто взял задание: пока оно занято, собирает он один; null, если свободно. */
  claim: {
    /** Пользователь. */
    user_id: string
    /** Его логин. */
    login: string
    /** Его имя; без имени — логин. */
    name: string
    /** Когда взял. */
    claimed_at: string
    /** Когда задание освободится: через 30 минут после его последнего скана. */
    ends_at: string
  } | null
  /** Что собрать; нет в списке заданий. */
  lines?: Array<{
    /** Заказ. */
    order_id: string
    /** Его номер в кабинете. */
    order_external_id: string
    /** Статус заказа; CANCELLED собирать не нужно. */
    order_status: 'NEW' | 'ASSEMBLING' | 'IN_DELIVERY' | 'COMPLETED' | 'CANCELLED' | 'OTHER'
    /** Когда заказ собран целиком; до этого null. */
    packed_at: string | null
    /** Штрихкод товара. */
    barcode: string
    /** Название товара. */
    name: string
    /** Артикул продавца; если нет, поля нет. */
    article?: string | undefined
    /** Другие штрихкоды этого же товара; если их нет, поля нет. */
    other_barcodes?: Array<string> | undefined
    /** Другие GTIN товара по карточкам маркетплейсов, 14 знаков: коды маркировки с ними — этого товара; если их нет, поля нет. */
    card_gtins?: Array<string> | undefined
    /** Адрес картинки товара на этом сервисе; если её нет, поля нет. */
    picture?: string | undefined
    /** Набор, часть которого эта строка; у остальных строк поля нет. */
    set?: {
      /** Штрихкод набора. */
      barcode: string
      /** Его название. */
      name: string
      /** Сколько таких наборов в заказе собрать. */
      qty: number
    } | undefined
    /** Сколько единиц нужно. */
    qty: number
    /** Сколько из них собрано. */
    picked: number
    /** Товар с маркировкой: лучше сканировать её код. */
    honest_mark: boolean
    /** Что маркетплейс требует указать для каждой единицы: `marking_code`, `uin`, `imei`, `gtin`, `expiration`, `customs_declaration`, `rnpt`, `country`, `weight`; новые виды — под именем маркетплейса. */
    required_marks: Array<string>
    /** Что для каждой единицы можно указать; виды те же. */
    optional_marks: Array<string>
    /** Что ещё сделать: чего маркетплейс требует, а сюда не вводят. Обычно пусто. */
    notes: Array<string>
    /** До какого времени заказ нужно передать маркетплейсу; null, если срока нет. */
    deadline: string | null
    /** Комментарий покупателя к заказу; если нет, поля нет. */
    comment?: string | undefined
    /** Габаритный тип, как у маркетплейса; если неизвестен, поля нет. */
    cargo_type?: string | undefined
    /** Сколько из собранных отсканировано ещё раз при проверке упаковки. */
    checked: number
    /** Собранные единицы строки по порядку: сканы и что у них указано. */
    picks: Array<{
      /** Номер скана. */
      scan_id: string
      /** Есть ли у единицы код маркировки. */
      marking_code: boolean
      /** Что указано о единице, по видам; чего не указывали, того поля нет. */
      marks: {
        /** УИН ювелирного изделия, 16 цифр; null: у единицы его нет. */
        uin?: string | null | undefined
        /** IMEI, 15 цифр; null: у единицы его нет. */
        imei?: string | null | undefined
        /** GTIN, 8, 12, 13 или 14 цифр; null: у единицы его нет. */
        gtin?: string | null | undefined
        /** Срок годности: 2027-12-31 или 31.12.2027; null: у единицы его нет. */
        expiration?: string | null | undefined
        /** Номер таможенной декларации: 10704010/010624/0000302; null: у единицы его нет. */
        customs_declaration?: string | null | undefined
        /** РНПТ: 10704010/010624/0000302/001; null: у единицы его нет. */
        rnpt?: string | null | undefined
        /** Страна изготовления: две латинские буквы её кода; null: у единицы его нет. */
        country?: string | null | undefined
        /** Вес единицы в граммах; null: у единицы его нет. */
        weight?: string | null | undefined
      }
    }>
    /** Откуда взять недостающие единицы, по порядку обхода, а где учитывается срок годности — сначала то, что истечёт раньше; строки задания идут в том же порядке. Чего здесь нет, лежит вне коробов и мест. */
    from: Array<{
      /** Место; если неизвестно, поля нет. */
      location_id?: string | undefined
      /** Код места на этикетке. */
      location_code?: string | undefined
      /** Зона склада. */
      zone?: string | undefined
      /** Короб; у единиц вне коробов поля нет. */
      box_id?: string | undefined
      /** Его номер на этикетке. */
      sscc?: string | undefined
      /** Сколько единиц взять. */
      qty: number
      /** Единицы с каким сроком годности взять, ГГГГ-ММ-ДД. */
      expires_on?: string | undefined
    }>
    /** Где искать: не больше пяти коробов; пусто, если единицы лежат вне коробов. */
    boxes: Array<{
      /** Короб. */
      box_id: string
      /** Его номер на этикетке. */
      sscc?: string | undefined
      /** Сколько единиц этого товара в коробе. */
      qty: number
    }>
  }> | undefined
  /** Чего не нашли и что решено, по порядку; нет в списке заданий. */
  misses?: Array<{
    /** Идентификатор. */
    id: string
    /** Заказ. */
    order_id: string
    /** Номер заказа в кабинете. */
    order_external_id: string
    /** Чего не нашли. */
    barcode: string
    /** Сколько единиц. */
    qty: number
    /** Причина, код. */
    reason: string
    /** Причина по-русски. */
    reason_label: string
    /** Когда сообщили. */
    at: string
    /** Где искали; null, если терминал места не назвал. */
    place: {
      /** Место; если неизвестно, поля нет. */
      location_id?: string | undefined
      /** Код места на этикетке. */
      location_code?: string | undefined
      /** Короб; у единиц вне коробов поля нет. */
      box_id?: string | undefined
      /** Его номер на этикетке. */
      sscc?: string | undefined
    } | null
    /** OPEN: ждёт решения менеджера. DECIDED: решено. CLOSED: решать больше нечего. Товар нашёлся, о нём сообщили ещё раз, или заказ отменён либо ушёл из отгрузки. */
    status: 'OPEN' | 'DECIDED' | 'CLOSED'
    /** Состояние по-русски. */
    status_label: string
    outcome: 'look_elsewhere' | 'correct_stock' | 'remove_order' | 'tell_seller' | 'found' | 'order_left' | 'reported_again' | null
    /** Чем кончилось, по-русски; null — ещё ничем. */
    outcome_label: string | null
    /** Где менеджер велел взять товар; null, если места нет. */
    look_at: {
      /** Место; если неизвестно, поля нет. */
      location_id?: string | undefined
      /** Код места на этикетке. */
      location_code?: string | undefined
      /** Короб; у единиц вне коробов поля нет. */
      box_id?: string | undefined
      /** Его номер на этикетке. */
      sscc?: string | undefined
    } | null
    /** Комментарий к решению. */
    comment: string | null
  }> | undefined
  /** Единицы отгрузки, о которых маркетплейсу переданы коды и метки; нет в списке заданий. */
  marks?: {
    /** Проверены и приняты. */
    proven: number
    /** Ждут ответа маркетплейса. */
    waiting: number
    /** Не приняты, и другой единицы в заказе ещё нет. */
    refused: number
  } | undefined
  /** Единицы, чей код или метку маркетплейс не принял: достаньте их из посылок и возьмите другие. Обычно пусто. */
  refused_marks?: Array<{
    /** Заказ, которому нужна другая единица. */
    order_id: string
    /** Его номер в кабинете. */
    order_external_id: string
    /** Штрихкод товара. */
    barcode: string
    /** Название товара. */
    name: string
    /** Что не принял маркетплейс и почему, по-русски. */
    reason: string
  }> | undefined
}

/** Страница заданий. */
export interface PickingTaskPage {
  /** Страница списка. */
  items: Array<PickingTask>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Одна единица положена в заказ. */
export interface PickDraft {
  /** Номер скана от терминала: тот же номер ничего не меняет. */
  scan_id: string
  /** Заказ из этого задания. */
  order_id: string
  /** Штрихкод товара. */
  barcode?: string | undefined
  /** Код маркировки единицы, как его прочитал сканер; можно вместо barcode. */
  marking_code?: string | undefined
  /** Короб, из которого взята единица: id или SSCC; если вне коробов, поля нет. */
  box_id?: string | undefined
  /** Место, с которого взята единица вне коробов: id или код; вместо box_id. */
  location_id?: string | undefined
  /** Что ещё указать о единице: чего требует маркетплейс (required_marks строки). */
  marks?: {
    /** УИН ювелирного изделия, 16 цифр */
    uin?: string | undefined
    /** IMEI, 15 цифр */
    imei?: string | undefined
    /** GTIN, 8, 12, 13 или 14 цифр */
    gtin?: string | undefined
    /** Срок годности: 2027-12-31 или 31.12.2027 */
    expiration?: string | undefined
    /** Номер таможенной декларации: 10704010/010624/0000302; null: у товара его нет (только OZON). */
    customs_declaration?: string | null | undefined
    /** РНПТ: 10704010/010624/0000302/001; null: у товара его нет (только OZON). */
    rnpt?: string | null | undefined
    /** Страна изготовления: две латинские буквы её кода */
    country?: string | undefined
    /** Вес единицы в граммах */
    weight?: string | undefined
  } | undefined
  /** Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя принять, он становится исключением для менеджера, ответ 202. */
  queued_at?: string | undefined
  /** Логин того, кто сделал скан из очереди. Отключённого — решит менеджер. */
  queued_by?: string | undefined
  /** true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если склад уже принял этот скан, он остаётся принятым. */
  hand_over?: boolean | undefined
}

/** Что вышло из скана. */
export interface PickResult {
  /** Номер скана. */
  scan_id: string
  /** true: этот скан уже был принят, ничего не изменилось. */
  repeated: boolean
  /** true: скан был отменён, единица снова на полке; нужен новый scan_id. */
  undone: boolean
  /** Заказ, в который попала единица. */
  order_id: string
  /** Его номер в кабинете. */
  order_external_id: string
  /** Её штрихкод. */
  barcode: string
  /** Название товара. */
  name: string
  /** Сколько единиц в заказе. */
  order_units: number
  /** Сколько из них собрано, теперь. */
  order_picked: number
  /** Только у отменённого скана: куда вернуть единицу. Все поля null — она была вне коробов и мест. */
  put_back?: {
    /** Короб, из которого взята; null, если не из короба. */
    box_id: string | null
    /** Его номер на этикетке. */
    sscc: string | null
    /** Место, с которого взята; null, если не с места. */
    location_id: string | null
    /** Код места на этикетке. */
    location_code: string | null
  } | undefined
  /** Собран ли заказ целиком. */
  order_packed: boolean
  /** Когда собран; до этого null. */
  packed_at: string | null
  /** Что указано о единице, по видам; чего не указывали, того поля нет. */
  marks: {
    /** УИН ювелирного изделия, 16 цифр; null: у единицы его нет. */
    uin?: string | null | undefined
    /** IMEI, 15 цифр; null: у единицы его нет. */
    imei?: string | null | undefined
    /** GTIN, 8, 12, 13 или 14 цифр; null: у единицы его нет. */
    gtin?: string | null | undefined
    /** Срок годности: 2027-12-31 или 31.12.2027; null: у единицы его нет. */
    expiration?: string | null | undefined
    /** Номер таможенной декларации: 10704010/010624/0000302; null: у единицы его нет. */
    customs_declaration?: string | null | undefined
    /** РНПТ: 10704010/010624/0000302/001; null: у единицы его нет. */
    rnpt?: string | null | undefined
    /** Страна изготовления: две латинские буквы её кода; null: у единицы его нет. */
    country?: string | null | undefined
    /** Вес единицы в граммах; null: у единицы его нет. */
    weight?: string | null | undefined
  }
  /** Что ещё сделать: чего маркетплейс требует, а сюда не вводят. Обычно пусто. */
  notes: Array<string>
  /** Единицы, чей код или метку маркетплейс не принял: достаньте их из посылок и возьмите другие. Обычно пусто. */
  refused_marks?: Array<{
    /** Заказ, которому нужна другая единица. */
    order_id: string
    /** Его номер в кабинете. */
    order_external_id: string
    /** Штрихкод товара. */
    barcode: string
    /** Название товара. */
    name: string
    /** Что не принял маркетплейс и почему, по-русски. */
    reason: string
  }> | undefined
}

/** Что указать о собранной единице. */
export interface UnitMarksDraft {
  /** УИН ювелирного изделия, 16 цифр */
  uin?: string | undefined
  /** IMEI, 15 цифр */
  imei?: string | undefined
  /** GTIN, 8, 12, 13 или 14 цифр */
  gtin?: string | undefined
  /** Срок годности: 2027-12-31 или 31.12.2027 */
  expiration?: string | undefined
  /** Номер таможенной декларации: 10704010/010624/0000302; null: у товара его нет (только OZON). */
  customs_declaration?: string | null | undefined
  /** РНПТ: 10704010/010624/0000302/001; null: у товара его нет (только OZON). */
  rnpt?: string | null | undefined
  /** Страна изготовления: две латинские буквы её кода */
  country?: string | undefined
  /** Вес единицы в граммах */
  weight?: string | undefined
  /** Код маркировки единицы, если его не сканировали. */
  marking_code?: string | undefined
}

/** Кому отдать задание. */
export interface TakeOver {
  /** Кому отдать; без него — себе. */
  user_id?: string | undefined
}

/** Товар заказа не найден. */
export interface MissDraft {
  /** Заказ из этого задания. */
  order_id: string
  /** Код причины из GET /staff/v1/reasons, kind not_found. */
  reason: string
  /** Чего нет; без него — всё, чего заказу ещё не хватает. */
  barcode?: string | undefined
  /** Место, где искали: id или код. */
  location_id?: string | undefined
  /** Короб, где искали, вместо места: id или SSCC. */
  box_id?: string | undefined
  /** Номер скана от терминала: тот же номер ничего не меняет. */
  scan_id?: string | undefined
}

/** Товар заказа, который не нашли при сборке. */
export interface Miss {
  /** Идентификатор. */
  id: string
  /** Заказ. */
  order_id: string
  /** Номер заказа в кабинете. */
  order_external_id: string
  /** Чего не нашли. */
  barcode: string
  /** Сколько единиц. */
  qty: number
  /** Причина, код. */
  reason: string
  /** Причина по-русски. */
  reason_label: string
  /** Когда сообщили. */
  at: string
  /** Где искали; null, если терминал места не назвал. */
  place: {
    /** Место; если неизвестно, поля нет. */
    location_id?: string | undefined
    /** Код места на этикетке. */
    location_code?: string | undefined
    /** Короб; у единиц вне коробов поля нет. */
    box_id?: string | undefined
    /** Его номер на этикетке. */
    sscc?: string | undefined
  } | null
  /** OPEN: ждёт решения менеджера. DECIDED: решено. CLOSED: решать больше нечего. Товар нашёлся, о нём сообщили ещё раз, или заказ отменён либо ушёл из отгрузки. */
  status: 'OPEN' | 'DECIDED' | 'CLOSED'
  /** Состояние по-русски. */
  status_label: string
  outcome: 'look_elsewhere' | 'correct_stock' | 'remove_order' | 'tell_seller' | 'found' | 'order_left' | 'reported_again' | null
  /** Чем кончилось, по-русски; null — ещё ничем. */
  outcome_label: string | null
  /** Где менеджер велел взять товар; null, если места нет. */
  look_at: {
    /** Место; если неизвестно, поля нет. */
    location_id?: string | undefined
    /** Код места на этикетке. */
    location_code?: string | undefined
    /** Короб; у единиц вне коробов поля нет. */
    box_id?: string | undefined
    /** Его номер на этикетке. */
    sscc?: string | undefined
  } | null
  /** Комментарий к решению. */
  comment: string | null
  /** Клиент. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** До какого времени заказ нужно передать; null, если срока нет. */
  deadline: string | null
  /** Задание на сборку; null, если отгрузку отменили. */
  picking_task_id: string | null
  /** Отгрузка, которую собирали; null, если её отменили. */
  shipment_id: string | null
  /** Её номер в кабинете. */
  shipment_external_id: string | null
  /** Название товара. */
  name: string
  /** Логин того, кто не нашёл. */
  reported_by: string | null
  /** Когда решено или закрыто. */
  ended_at: string | null
  /** Логин того, кто решил или нашёл; null, если не человек. */
  ended_by: string | null
}

/** Страница ненайденных товаров. */
export interface MissPage {
  /** Страница списка. */
  items: Array<Miss>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Ненайденный товар и где он ещё лежит. */
export interface MissWithPlaces extends Miss {
  /** Скольких единиц заказу ещё не хватает. */
  missing: number
  /** Сколько единиц товара свободно, без отложенных заказам. */
  free: number
  /** Где ещё лежит товар по учёту, по порядку обхода; не больше 20 мест. */
  places: Array<{
    /** Место; если неизвестно, поля нет. */
    location_id?: string | undefined
    /** Код места на этикетке. */
    location_code?: string | undefined
    /** Короб; у единиц вне коробов поля нет. */
    box_id?: string | undefined
    /** Его номер на этикетке. */
    sscc?: string | undefined
    /** Сколько там единиц. */
    qty: number
  }>
}

/** Где искать: место или короб, а если их нет — словами в comment. */
export interface OtherPlaceDraft {
  /** Место, где взять товар вне коробов: id или код. */
  location_id?: string | undefined
  /** Короб, из которого его взять, вместо места: id или SSCC. */
  box_id?: string | undefined
  /** Комментарий: его видят сборщик и менеджеры. */
  comment?: string | undefined
}

/** Почему единиц нет. */
export interface MissedStockDraft {
  /** Код причины из GET /reasons, kind correction. */
  reason: string
  /** Комментарий: его видят сборщик и менеджеры. */
  comment?: string | undefined
}

/** reason — списать и ненайденные единицы, по этой причине; без него остаток прежний. */
export interface MissedOrderDraft {
  /** Код причины из GET /reasons, kind correction. */
  reason?: string | undefined
  /** Комментарий: его видят сборщик и менеджеры. */
  comment?: string | undefined
}

/** Одна проверенная единица. */
export interface PackCheckDraft {
  /** Номер скана от терминала: тот же номер ничего не меняет. */
  scan_id: string
  /** Заказ, чью посылку проверяют. */
  order_id: string
  /** Штрихкод товара или код маркировки единицы, как его прочитал сканер. */
  code: string
  /** Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя принять, он становится исключением для менеджера, ответ 202. */
  queued_at?: string | undefined
  /** Логин того, кто сделал скан из очереди. Отключённого — решит менеджер. */
  queued_by?: string | undefined
  /** true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если склад уже принял этот скан, он остаётся принятым. */
  hand_over?: boolean | undefined
}

/** Что вышло из проверки упаковки. */
export interface PackCheck {
  /** Номер скана. */
  scan_id: string
  /** true: этот скан уже был принят, ничего не изменилось. */
  repeated: boolean
  /** true: состав заказа с тех пор изменился, проверку начинают заново, с новым scan_id. */
  undone: boolean
  /** Заказ. */
  order_id: string
  /** Его номер в кабинете. */
  order_external_id: string
  /** Штрихкод проверенной единицы. */
  barcode: string
  /** Сколько единиц в заказе. */
  units: number
  /** Сколько из них проверено. */
  checked: number
  /** Проверены все: заказ можно заклеивать. */
  complete: boolean
  /** Чего ещё не отсканировали. */
  missing: Array<{
    /** Штрихкод. */
    barcode: string
    /** Название товара. */
    name: string
    /** Сколько ещё отсканировать. */
    qty: number
  }>
}

/** Товар, который маркетплейс возвращает на склад. */
export interface ExpectedReturn {
  /** Идентификатор в сервисе. */
  id: string
  /** Чей товар. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Кабинет, из которого он уехал. */
  cabinet_id: string
  /** Маркетплейс. */
  marketplace: 'WB' | 'OZON'
  /** Номер возврата у маркетплейса; на WB — номер заказа. */
  external_id: string
  /** Почему возвращается: CANCELLATION — отменён в пути, REFUSAL — не взяли при вручении, BUYER_RETURN — вернул покупатель. */
  kind: 'CANCELLATION' | 'REFUSAL' | 'BUYER_RETURN' | 'OTHER'
  /** ON_THE_WAY — едет, READY — можно забрать, RECEIVED — отдан, NOT_COMING — не приедет, OTHER — другое состояние, см. remote_state. */
  state: 'ON_THE_WAY' | 'READY' | 'RECEIVED' | 'NOT_COMING' | 'OTHER'
  /** Состояние, как его называет маркетплейс. */
  remote_state: string | null
  /** Причина от покупателя или маркетплейса. */
  reason: string | null
  /** Заказ; null, если сервис его не знает. */
  order_id: string | null
  /** Номер заказа в кабинете. */
  order_external_id: string | null
  /** Штрихкод товара; null, если неизвестен. */
  barcode: string | null
  /** Артикул продавца. */
  article: string | null
  /** Название товара. */
  name: string | null
  /** Сколько единиц. */
  qty: number
  /** Когда его отправили обратно. */
  since: string | null
  /** Когда изменилось состояние. */
  changed_at: string | null
  /** Где лежит или куда едет. */
  place_name: string | null
  /** Адрес этого места. */
  place_address: string | null
  /** Код этикетки возврата. */
  label_code: string | null
  /** Код, который показывают, чтобы забрать; есть у READY на OZON. */
  giveout_code: string | null
  /** Когда маркетплейс утилизирует, если не забрать. */
  disposal_at: string | null
  /** true: кабинет только наблюдают, и движений по его товару нет. */
  observed: boolean
  /** Когда сервис узнал о возврате. */
  created_at: string
}

/** Приём возвратов: что вернулось за один раз. */
export interface ReturnBatch {
  /** Идентификатор приёма возвратов. */
  id: string
  /** Чей товар. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Кабинет, из которого возвраты; null, если любой. */
  cabinet_id: string | null
  /** Номер для бумаг: `RT-000001`. */
  number: string
  /** OPEN — принимают, FINISHED — закончен. */
  status: 'OPEN' | 'FINISHED'
  /** День, если его открыли сканы POST /returns/scans; иначе null. */
  day: string | null
  /** Комментарий. */
  comment: string | null
  /** Сколько единиц ждали. */
  expected_qty: number
  /** Сколько единиц приехало, вместе с теми, кого не ждали. */
  came_qty: number
  /** Сколько из них не ждали. */
  unexpected_qty: number
  /** Скольких из списка не хватает. */
  missing_qty: number
  /** Сколько приехавших можно продавать. */
  sellable_qty: number
  /** Сколько повреждено: они под вопросом. */
  damaged_qty: number
  /** Сколько не осмотрено: они под вопросом. */
  unknown_qty: number
  /** Когда начат. */
  created_at: string
  /** Кем: `staff:<id>` или `robot`. */
  created_by: string
  /** Когда закончен; до этого null. */
  finished_at: string | null
  /** Кем закончен; до этого null. */
  finished_by: string | null
}

/** Единица, которая вернулась. */
export interface ReturnScan {
  /** Номер скана, который дал терминал. */
  scan_id: string
  /** Что отсканировано. */
  code: string
  /** Штрихкод товара. */
  barcode: string
  /** Название товара. */
  name: string
  /** Заказ, с которым единица уехала; null, если по коду его не узнать. */
  order_id: string | null
  /** Номер этого заказа в кабинете. */
  order_external_id: string | null
  /** Код маркировки единицы: GTIN и серийный номер; null, если его нет. */
  marking_code: string | null
  /** sellable — можно продавать, damaged — повреждён, unknown — не осмотрен. */
  condition: 'sellable' | 'damaged' | 'unknown'
  /** Код причины из GET /reasons, вид correction; у sellable может не быть. */
  reason: string | null
  /** Причина словами. */
  reason_label: string | null
  /** Единицу ждали: она в списке expected. */
  expected: boolean
  /** Когда. */
  scanned_at: string
  /** Кто: `staff:<id>` или `robot`. */
  scanned_by: string
  /** Скан отменён и не считается. */
  undone: boolean
  /** Когда отменён; null, если не отменён. */
  undone_at: string | null
  /** Кем отменён; null, если не отменён. */
  undone_by: string | null
}

/** Страница ожидаемых возвратов. */
export interface ExpectedReturnPage {
  /** Страница списка. */
  items: Array<ExpectedReturn>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Страница приёмов возвратов. */
export interface ReturnBatchPage {
  /** Страница списка. */
  items: Array<ReturnBatch>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новый приём возвратов. */
export interface ReturnBatchDraft {
  /** Чьи возвраты. */
  client_id: string
  /** Кабинет, если все они из одного. */
  cabinet_id?: string | undefined
  /** Комментарий. */
  comment?: string | undefined
  /** Какие заказы ждут. Без списка, но с cabinet_id: всё, что его маркетплейс готов выдать. */
  expected?: Array<{
    /** Заказ: его id. */
    order_id?: string | undefined
    /** Или его номер в кабинете. */
    external_id?: string | undefined
  }> | undefined
}

/** Приём возвратов со всем, что нужно для акта. */
export interface ReturnBatchContent extends ReturnBatch {
  /** Что ждали и что из этого приехало. */
  expected: Array<{
    /** Номер заказа; если сервис его не знает — номер возврата у маркетплейса. */
    external_id: string
    /** Заказ; null, если сервис его не знает. */
    order_id: string | null
    /** Штрихкод товара; null, если маркетплейс его не сообщил. */
    barcode: string | null
    /** Название товара. */
    name: string | null
    /** Сколько единиц ждали. */
    qty: number
    /** Сколько из них приехало. */
    came_qty: number
    /** Скольких не хватает. */
    missing_qty: number
  }>
  /** Приехавшие единицы в порядке сканов; отменённые тоже. */
  scans: Array<ReturnScan>
}

/** Единица, которая вернулась. */
export interface ReturnScanDraft {
  /** Номер скана от терминала: повтор с тем же номером ничего не меняет. */
  scan_id: string
  /** Что угодно с единицы: номер или этикетка заказа, код маркировки, IMEI или УИН, этикетка возврата маркетплейса, штрихкод товара. */
  code: string
  /** Штрихкод единицы, если code — номер заказа с разными товарами. */
  barcode?: string | undefined
  /** sellable — можно продавать; damaged — повреждён, unknown — не осмотрен: они под вопросом. */
  condition: 'sellable' | 'damaged' | 'unknown'
  /** Код причины из GET /reasons, вид correction. Без него у damaged — DAMAGED, у unknown — UNCHECKED_RETURN. */
  reason?: string | undefined
  /** Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя принять, он становится исключением для менеджера, ответ 202. */
  queued_at?: string | undefined
  /** Логин того, кто сделал скан из очереди. Отключённого — решит менеджер. */
  queued_by?: string | undefined
  /** true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если склад уже принял этот скан, он остаётся принятым. */
  hand_over?: boolean | undefined
}

/** Чем кончился скан возврата или его отмена. */
export interface ReturnScanResult extends ReturnScan {
  /** Приём возвратов, в который попала единица. */
  return_id: string
  /** Повтор: этот запрос ничего не изменил. */
  repeated: boolean
}

/** Единица, которая вернулась, без номера приёма возвратов. */
export interface ReturnScanOfDayDraft extends ReturnScanDraft {
  /** Чей товар; нужен, если по коду этого не узнать, например у штрихкода. */
  client_id?: string | undefined
}

/** Станция печати: компьютер с принтером. */
export interface PrintStation {
  /** Идентификатор станции. */
  id: string
  /** Склад. */
  warehouse_code: string
  /** Название: по нему станцию узнают на складе. */
  name: string
  /** Что печатает. */
  formats: Array<'58x40' | 'A4'>
  /** false — заданий больше не получает. */
  active: boolean
  /** Сколько заданий ждёт: её собственных и тех, что может взять любая станция. */
  waiting: number
  /** Когда заведена. */
  created_at: string
  /** Когда её страница последний раз просила задание, с точностью до минуты; null — ещё ни разу. */
  seen_at: string | null
}

/** Страница станций. */
export interface PrintStationPage {
  /** Страница списка. */
  items: Array<PrintStation>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Новая станция печати. */
export interface PrintStationDraft {
  /** Склад, где она стоит. */
  warehouse_code: string
  /** Название: по нему станцию узнают на складе. */
  name: string
  /** Что она печатает. */
  formats: Array<'58x40' | 'A4'>
}

/** Что изменить. */
export interface PrintStationPatch {
  /** Название: по нему станцию узнают на складе. */
  name?: string | undefined
  /** Что она печатает. */
  formats?: Array<'58x40' | 'A4'> | undefined
  /** false — новых заданий не получает; её задания ждут, пока её не откроют. */
  active?: boolean | undefined
}

/** Кто просит задание. */
export interface StationTab {
  /** Номер вкладки: случайный текст, который страница придумала, когда открылась. */
  tab: string
}

/** Задание печати. */
export interface PrintJob {
  /** Идентификатор задания. */
  id: string
  /** Номер, с которым его прислали; null — без номера. */
  print_id: string | null
  /** Склад. */
  warehouse_code: string
  /** На какой станции печатать; null — на любой подходящей этого склада. */
  station_id: string | null
  /** 58x40 — этикетки 58 × 40 мм, A4 — документы. */
  format: '58x40' | 'A4'
  /** order-sticker — этикетка заказа, shipment-stickers — этикетки всех заказов отгрузки (первые 200), box-label, pallet-label, location-label — этикетки короба, паллеты, места; receipt, return, count, shipment, picking-task — документы, как GET /staff/v1/documents. */
  kind: 'order-sticker' | 'shipment-stickers' | 'box-label' | 'pallet-label' | 'location-label' | 'receipt' | 'return' | 'count' | 'shipment' | 'picking-task'
  /** Что печатается: идентификатор объекта. */
  object_id: string
  /** То же словами. */
  title: string
  /** Сколько экземпляров; они уже есть в содержимом. */
  copies: number
  /** QUEUED — ждёт станции, PRINTING — печатается, PRINTED — напечатано, FAILED — не напечатано. */
  status: 'QUEUED' | 'PRINTING' | 'PRINTED' | 'FAILED'
  /** Почему не напечатано; null в других состояниях. */
  reason: string | null
  /** Сколько раз станции брали задание с тех пор, как оно встало в очередь. */
  attempts: number
  /** Станция, которая взяла его последней; null — ещё никакая. */
  taken_station_id: string | null
  /** До какого времени его печатает станция; потом задание возьмёт другая. null — не печатается. */
  lease_expires_at: string | null
  /** Когда попросили напечатать. */
  created_at: string
  /** Кто попросил: `staff:<id>`. */
  created_by: string
  /** Когда напечатано или не напечатано; null, пока неизвестно. */
  ended_at: string | null
}

/** Следующее задание станции. */
export interface NextPrintJob {
  /** Задание, которое теперь печатает эта вкладка; null — печатать нечего. */
  job: PrintJob | null
}

/** Страница заданий печати. */
export interface PrintJobPage {
  /** Страница списка. */
  items: Array<PrintJob>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Что напечатать. */
export interface PrintJobDraft {
  /** order-sticker — этикетка заказа, shipment-stickers — этикетки всех заказов отгрузки (первые 200), box-label, pallet-label, location-label — этикетки короба, паллеты, места; receipt, return, count, shipment, picking-task — документы, как GET /staff/v1/documents. */
  kind: 'order-sticker' | 'shipment-stickers' | 'box-label' | 'pallet-label' | 'location-label' | 'receipt' | 'return' | 'count' | 'shipment' | 'picking-task'
  /** Что печатать: идентификатор; у короба и паллеты годится SSCC, у места — код. */
  object_id: string
  /** На какой станции; без неё — на любой того же склада, которая такое печатает. */
  station_id?: string | undefined
  /** Сколько экземпляров; этикетки отгрузки — только один. */
  copies?: number | undefined
  /** Свой номер запроса: повтор с ним не печатает второй раз. */
  print_id?: string | undefined
}

/** Чем кончилась печать. */
export interface PrintOutcomeDraft {
  /** PRINTED — напечатано, FAILED — нет, QUEUED — вернуть в очередь или напечатать ещё раз, PRINTING — печатаю ещё 60 секунд. */
  status: 'QUEUED' | 'PRINTING' | 'PRINTED' | 'FAILED'
  /** Вкладка, которая печатает; без неё отвечает человек. */
  tab?: string | undefined
  /** Почему не напечатано; обязательна для FAILED. */
  reason?: string | undefined
}

/** Исполнитель: юрлицо, которое выставляет акты. */
export interface BillingProvider extends BillingProviderDraft {
  /** Склад. */
  warehouse_code: string
}

/** Версия тарифа. */
export interface Tariff extends TariffDraft {
  /** Номер версии. */
  version: number
  /** Когда заведена. */
  created_at: string
}

/** Начисление, как его читает склад. */
export interface StaffCharge {
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
  /** К чему относится начисленное вручную; null — ни к чему, или посчитано складом. */
  object: {
    /** Приёмка, заказ, отгрузка, приём возвратов, пересчёт. */
    kind: 'receipt' | 'order' | 'shipment' | 'return' | 'count'
    /** Идентификатор. */
    id: string
  } | null
}

/** Услуга месяца по другой версии тарифа. */
export interface TriedService {
  /** Код услуги. */
  service: string
  /** Услуга по-русски. */
  service_name: string
  /** За что цена. */
  unit: string
  /** Количество, до трёх знаков. */
  quantity: string
  /** Было бы по этой версии, рубли. */
  amount: string
  /** Начислено, рубли. */
  charged: string
}

/** Месяц, который пора закрыть. */
export interface DueBillingPeriod {
  /** Клиент. */
  client_id: string
  /** Его название. */
  client_name: string
  /** Первый день месяца. */
  period: string
  /** Начислено, рубли. */
  amount: string
}

/** Услуга склада. */
export interface BillingService {
  /** Код услуги. */
  code: string
  /** Название, как в акте. */
  name: string
  /** За что цена. */
  unit: string
  /** true — склад считает сам, по сканам и документам; false — начисляют вручную. */
  measured: boolean
}

/** Услуги склада. */
export interface BillingServices {
  /** Услуги склада. */
  items: Array<BillingService>
}

/** Своя услуга склада. */
export interface OwnServiceDraft {
  /** Код: OWN_ и заглавные латинские буквы, цифры, подчёркивания. */
  code: string
  /** Название, как в акте. */
  name: string
  /** За что цена: шт., час. */
  unit: string
}

/** Исполнители, последний первым. */
export interface BillingProviders {
  /** Исполнители, последний первым. */
  items: Array<BillingProvider>
}

/** Исполнитель. */
export interface BillingProviderDraft {
  /** С какого дня действует. */
  first_day: string
  /** Название исполнителя. */
  name: string
  /** Его ИНН. */
  inn: string
  /** КПП; у предпринимателя null. */
  kpp: string | null
  /** Адрес. */
  address: string
  /** Кто подписывает акты: должность и имя. */
  signatory: string
  /** Ставка НДС в процентах; null — без НДС. */
  vat_rate: 5 | 7 | 22 | null
  /** true — цены уже с НДС. */
  vat_included: boolean
}

/** Версии тарифа, последняя первой. */
export interface Tariffs {
  /** Версии тарифа, последняя первой. */
  items: Array<Tariff>
}

/** Новая версия тарифа. */
export interface TariffDraft {
  /** С какого дня действует. */
  first_day: string
  /** Цены. Услугу без цены не начисляют. */
  prices: Array<{
    /** Код услуги. */
    service: string
    /** Ступени по возрастанию; у последней up_to — null. */
    steps: Array<{
      /** До скольких единиц за месяц действует цена; null — без предела. */
      up_to: number | null
      /** Цена за единицу услуги, рубли. */
      price: string
    }>
  }>
  /** Минимум за месяц, рубли; у клиента null — как у всех. */
  monthly_minimum?: string | null | undefined
  /** Дней хранения без платы; у клиента null — как у всех. */
  free_days?: number | null | undefined
}

/** Как считают хранение. */
export interface StorageTerms {
  /** С какого дня действует. */
  first_day: string
  /** unit — по штукам, litre — по литрам, box — по коробам, pallet — по паллетам. */
  way: 'unit' | 'litre' | 'box' | 'pallet'
  /** Литров у единицы, которую не измерили; null — её не начисляют. */
  assumed_litres?: string | null | undefined
}

/** Как считают хранение клиента. */
export interface StorageTermsList {
  /** Условия, последние первыми. */
  items: Array<StorageTerms>
}

/** Страница начислений. */
export interface StaffChargePage {
  /** Страница списка. */
  items: Array<StaffCharge>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Услуга вручную. */
export interface ManualChargeDraft {
  /** Код своей услуги склада. */
  service: string
  /** День; без поля — сегодня. */
  day?: string | undefined
  /** Сколько, до трёх знаков; с минусом — вернуть клиенту, тогда нужна price. */
  quantity: string
  /** Цена за единицу, рубли; без поля — по тарифу. */
  price?: string | undefined
  /** За что: увидит клиент. */
  comment: string
  /** Свой номер: повтор с ним не начислит второй раз. */
  entry_id?: string | undefined
  /** К чему относится. */
  object?: {
    /** Приёмка, заказ, отгрузка, приём возвратов, пересчёт. */
    kind: 'receipt' | 'order' | 'shipment' | 'return' | 'count'
    /** Идентификатор. */
    id: string
  } | undefined
}

/** Начисленная вручную услуга. */
export interface MadeManualCharge {
  /** Идентификатор. */
  id: string
}

/** Месяц клиента по версии тарифа склада. */
export interface TariffTrial {
  /** Месяц: его первый день. */
  period: string
  /** Версия тарифа склада. */
  version: number
  /** Всего было бы по этой версии, рубли. */
  amount: string
  /** Всего начислено, рубли. */
  charged: string
  /** На сколько по этой версии больше, рубли; с минусом — меньше. */
  difference: string
  /** По услугам. */
  services: Array<TriedService>
}

/** Месяцы клиентов склада, которые пора закрыть. */
export interface DueBillingPeriods {
  /** Прежние месяцы первыми, до 500. */
  items: Array<DueBillingPeriod>
}

/** Готов ли месяц к закрытию. */
export interface ClosingState {
  /** Что мешает закрыть месяц, по-русски. */
  problems: Array<string>
  /** Что не начислено, потому что у услуги нет цены. */
  unpriced: Array<{
    /** Услуга. */
    name: string
    /** Сколько её было. */
    quantity: number
  }>
  /** Коды складов, исполнитель которых не заполнен. */
  without_provider: Array<string>
  /** Товаров на складе без размеров, если хранение считают по литрам. */
  unmeasured: number
}

/** Письмо или сообщение с уведомлениями. */
export interface NoticeLetter {
  /** Письмо. */
  id: string
  /** Кому; null — пользователя больше нет. */
  login: string | null
  /** seller — пользователь продавца, staff — сотрудник. */
  side: 'seller' | 'staff'
  /** Почта или Telegram. */
  channel: 'email' | 'telegram'
  /** now — сразу, digest — сводка, code — подтверждение адреса. */
  pace: 'now' | 'digest' | 'code'
  /** waiting — ждёт, sent — отправлено, failed — не удалось, dropped — стало не о чем. */
  state: 'waiting' | 'sent' | 'failed' | 'dropped'
  /** Сколько в нём уведомлений. */
  notices: number
  /** Сколько попыток было. */
  attempts: number
  /** Почему не удалась последняя попытка; null — удалась или её не было. */
  problem: string | null
  /** Когда заведено. */
  created_at: string
  /** Когда отправляется; для ждущего — следующая попытка. */
  due_at: string
  /** Когда закончено; null — ещё нет. */
  ended_at: string | null
}

/** Что сделал пользователь за период. */
export interface Shift {
  /** Пользователь. */
  user_id: string
  /** Его логин. */
  login: string
  /** Его имя; без имени — логин. */
  name: string
  /** Первое изменение за период. */
  first_at: string
  /** Последнее. */
  last_at: string
  /** Приёмок, в которых он считал. */
  receipts: number
  /** Сканов приёмки. */
  scans: number
  /** Единиц в этих сканах. */
  scanned_units: number
  /** Отменено сканов приёмки. */
  undone_scans: number
  /** Заданий, которые он собирал. */
  picking_tasks: number
  /** Собрано единиц. */
  picks: number
  /** Часов суток, в которые он собирал: делите на них собранное. */
  picking_hours: number
  /** Отменено сканов сборки. */
  undone_picks: number
  /** Проверено единиц при упаковке. */
  checks: number
  /** Отметок «не найден». */
  misses: number
  /** Сканов пересчёта. */
  counts: number
  /** Сканов возвратов. */
  returns: number
  /** Закрыто отгрузок. */
  shipments: number
  /** Всех изменений, вместе с остальными. */
  changes: number
}

/** Запись журнала заявок на приёмку. */
export interface ReceiptRequestEntry {
  /** Номер записи у клиента: 1, 2, 3 … без пропусков. */
  entry: number
  /** Когда пришла заявка. */
  time: string
  /** Клиент. */
  client_id: string
  /** Название клиента. */
  client_name?: string | undefined
  /** Ключ, которым она подана; null, если её подал человек в личном кабинете. */
  key_id: string | null
  /** Имя ключа. */
  key_name?: string | undefined
  /** Пользователь клиента, который подал её в личном кабинете; null, если ключ. */
  user_id: string | null
  /** Логин этого пользователя. */
  user_login?: string | undefined
  /** Номер запроса. */
  request_id: string
  /** Приёмка. */
  receipt_id: string
  /** Её номер. */
  receipt_number?: string | undefined
  /** `created` — приёмка создана, `repeated` — повтор заявки, которая ещё ждёт, `changed` — новая версия заявки из личного кабинета. */
  outcome: 'created' | 'repeated' | 'changed'
  /** Что просили. */
  body: unknown
}

/** Запись журнала отказов в заявках на приёмку. */
export interface RefusedReceiptEntry {
  /** Когда пришла заявка. */
  time: string
  /** Клиент. */
  client_id: string
  /** Название клиента. */
  client_name?: string | undefined
  /** Ключ, которым она подана. */
  key_id: string
  /** Имя ключа. */
  key_name?: string | undefined
  /** Номер запроса. */
  request_id: string
  /** Код ответа HTTP. */
  status: number
  /** Код ошибки. */
  code: string
  /** Длина тела; null, если отказ пришёл раньше, чем тело прочли. */
  body_bytes: number | null
  /** SHA-256 всего тела, каким оно пришло. */
  body_sha256: string | null
  /** Первые 16 КиБ тела; ключи в нём закрыты. */
  body_start: string | null
}

/** Запись журнала изменений. */
export interface StaffEntry {
  /** Номер записи: растёт. */
  id: number
  /** Когда. */
  time: string
  /** Кто: `staff:<id>`, `seller:<id>` или `command-line`. */
  actor: string
  /** Он же словами: имя, «робот», «командная строка». */
  actor_name?: string | undefined
  /** Логин, каким он был тогда. */
  login: string | null
  /** Операция. */
  action: string
  /** Что сделано, словами; если операции больше нет, поля нет. */
  title?: string | undefined
  /** С каким товаром это сделано, если с одним. */
  goods?: {
    /** Штрихкод. */
    barcode: string
    /** Название; если товара нет, штрихкод. */
    name: string
    /** Сколько единиц; null, если изменение не о единицах. */
    qty: number | null
  } | undefined
  /** Что изменилось, словами: «остаток: 5 → 7». */
  words: Array<string>
  /** Клиент, если изменение о нём. */
  client_id: string | null
  /** Название клиента. */
  client_name?: string | undefined
  /** Что изменилось. */
  object_id: string | null
  object?: ObjectName | undefined
  /** Объекты, которые названы в `words`: каждый своим `title`. */
  mentioned: Array<ObjectName>
  /** Как было; null, если не было. */
  before: unknown
  /** Как стало; null, если не стало. */
  after: unknown
  /** Номер запроса. */
  request_id: string | null
  /** Адрес, с которого пришёл запрос. */
  ip: string | null
}

/** Попытка доставки. */
export interface DeliveryAttempt {
  /** Доставка. */
  delivery_id: string
  /** Событие. */
  event_id: string
  /** Тип события. */
  event_type: 'receipt.created' | 'receipt.confirmed' | 'receipt.status_changed' | 'receipt.completed' | 'shipment.status_changed' | 'order.status_changed' | 'webhook.ping'
  /** Которая попытка этой доставки. */
  attempt: number
  /** Когда она началась. */
  at: string
  /** Код ответа; 0 — ответа не было. */
  status_code: number
  /** Почему не удалась; при удаче поля нет. */
  error?: string | undefined
  /** Сколько длилась, в миллисекундах. */
  duration_ms: number
}

/** Страница писем. */
export interface NoticeLetterPage {
  /** Страница списка. */
  items: Array<NoticeLetter>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Кто что сделал за период. */
export interface Shifts {
  /** По пользователям, самые деятельные первыми. */
  items: Array<Shift>
}

/** Страница журнала вызовов. */
export interface CallPage {
  /** Страница списка. */
  items: Array<CallEntry>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Страница журнала заявок. */
export interface ReceiptRequestPage {
  /** Страница списка. */
  items: Array<ReceiptRequestEntry>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Страница журнала отказов. */
export interface RefusedReceiptPage {
  /** Страница списка. */
  items: Array<RefusedReceiptEntry>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Страница журнала изменений. */
export interface StaffEntryPage {
  /** Страница списка. */
  items: Array<StaffEntry>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Страница попыток. */
export interface AttemptPage {
  /** Страница списка. */
  items: Array<DeliveryAttempt>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

export interface Calls {
  /** Войти. */
  'POST /session': {
    body: SessionDraft
    answer: StaffUser
  }
  /** Кто вошёл. */
  'GET /session': {
    query?: {
      /** true — никто не вошёл: ответ 204 без тела вместо 401. Так спрашивает страница входа. Сверх спецификации. */
      optional?: 'true' | undefined
    }
    answer: StaffUser | undefined
  }
  /** Выйти. */
  'DELETE /session': {
    answer: undefined
  }
  /** Напечатать бейдж. */
  'POST /users/{id}/badge': {
    path: {
      /** Идентификатор пользователя. */
      id: string
    }
    answer: Blob
  }
  /** Заблокировать бейдж. */
  'DELETE /users/{id}/badge': {
    path: {
      /** Идентификатор пользователя. */
      id: string
    }
    answer: StaffUser
  }
  /** Чей это бейдж. */
  'POST /session/badge': {
    body: BadgeDraft
    answer: BadgeHolder
  }
  /** Войти на терминале. */
  'POST /session/pin': {
    body: PinSessionDraft
    answer: StaffUser
  }
  /** Терминалы. */
  'GET /devices': {
    query?: {
      /** Состояние; без него — все. */
      status?: 'WAITING' | 'ENROLLED' | 'REVOKED' | undefined
      /** HANDHELD — терминал, на нём входят по PIN; STATION — станция печати, SCREEN — экран на стене: им вход не нужен. Без него — все. */
      purpose?: 'HANDHELD' | 'STATION' | 'SCREEN' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StaffDevicePage
  }
  /** Завести терминал. */
  'POST /devices': {
    body: StaffDeviceDraft
    answer: IssuedStaffDevice
  }
  /** Этикетка с кодом терминала. */
  'POST /devices/{id}/label': {
    path: {
      /** Идентификатор терминала. */
      id: string
    }
    body: EnrolmentDraft
    answer: Blob
  }
  /** Зарегистрировать терминал. */
  'POST /devices/enrol': {
    body: EnrolmentDraft
    answer: StaffDevice
  }
  /** Какое это устройство. */
  'GET /device': {
    answer: DeviceHere | undefined
  }
  /** Отозвать терминал. */
  'POST /devices/{id}/revoke': {
    path: {
      /** Идентификатор терминала. */
      id: string
    }
    answer: StaffDevice
  }
  /** Пользователи. */
  'GET /users': {
    query?: {
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StaffUserPage
  }
  /** Завести пользователя. */
  'POST /users': {
    body: StaffUserDraft
    answer: StaffUser
  }
  /** Изменить пользователя. */
  'PATCH /users/{id}': {
    path: {
      /** Идентификатор пользователя. */
      id: string
    }
    body: StaffUserPatch
    answer: StaffUser
  }
  /** Назначить склады пользователя. */
  'PUT /users/{id}/warehouses': {
    path: {
      /** Идентификатор пользователя. */
      id: string
    }
    body: UserWarehouses
    answer: StaffUser
  }
  /** Токены пользователя. */
  'GET /users/{id}/tokens': {
    path: {
      /** Идентификатор пользователя. */
      id: string
    }
    answer: StaffTokens
  }
  /** Выпустить токен. */
  'POST /users/{id}/tokens': {
    path: {
      /** Идентификатор пользователя. */
      id: string
    }
    body: StaffTokenDraft
    answer: IssuedStaffToken
  }
  /** Отозвать токен. */
  'DELETE /users/{id}/tokens/{token_id}': {
    path: {
      /** Идентификатор пользователя. */
      id: string
      /** Идентификатор токена. */
      token_id: string
    }
    answer: undefined
  }
  /** Задать PIN. */
  'PUT /users/{id}/pin': {
    path: {
      /** Идентификатор пользователя или его логин. */
      id: string
    }
    body: PinDraft
    answer: StaffUser
  }
  /** Сохранённые виды списка. */
  'GET /list-views': {
    query?: {
      /** Список, например orders; без него — все. */
      list?: string | undefined
    }
    answer: ListViews
  }
  /** Сохранить вид списка. */
  'POST /list-views': {
    body: ListViewDraft
    answer: ListView
  }
  /** Удалить вид списка. */
  'DELETE /list-views/{id}': {
    path: {
      /** Идентификатор вида. */
      id: string
    }
    answer: undefined
  }
  /** Уведомления. */
  'GET /notices': {
    answer: Notices
  }
  /** Сколько уведомлений не прочитано. */
  'GET /notices/unread': {
    answer: UnreadNotices
  }
  /** Отметить уведомления прочитанными. */
  'POST /notices/read': {
    body: ReadNotices
    answer: undefined
  }
  /** Настройки уведомлений. */
  'GET /notices/settings': {
    answer: NoticeSettings
  }
  /** Изменить настройки уведомлений. */
  'PUT /notices/settings': {
    body: NoticeSettingsDraft
    answer: NoticeSettings
  }
  /** Назвать почту для уведомлений. */
  'PUT /notices/email': {
    body: NoticeEmail
    answer: undefined
  }
  /** Отключить письма. */
  'DELETE /notices/email': {
    answer: undefined
  }
  /** Подтвердить почту для уведомлений. */
  'POST /notices/email/confirm': {
    body: NoticeEmailCode
    answer: undefined
  }
  /** Получить ссылку на бота. */
  'POST /notices/telegram': {
    answer: TelegramLink
  }
  /** Отключить Telegram. */
  'DELETE /notices/telegram': {
    answer: undefined
  }
  /** Письма и сообщения с уведомлениями. */
  'GET /journal/notices': {
    query?: {
      /** Что с ними стало. */
      state?: 'waiting' | 'sent' | 'failed' | 'dropped' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: NoticeLetterPage
  }
  /** Кто что сделал за смену. */
  'GET /shifts': {
    query?: {
      /** С какого времени; без него — с начала сегодняшнего дня. */
      from?: string | undefined
      /** По какое время, не включая; без него — до конца дня после from. */
      to?: string | undefined
      /** Один пользователь. */
      user_id?: string | undefined
    }
    answer: Shifts
  }
  /** Кто работает сейчас. */
  'GET /today/people': {
    answer: PeopleAtWork
  }
  /** Приёмки. */
  'GET /receipts': {
    query?: {
      /** Клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Состояние; без него — все. */
      status?: 'PENDING_CONFIRMATION' | 'EXPECTED' | 'RECEIVING' | 'RECEIVED' | 'RECEIVED_WITH_DISCREPANCY' | undefined
      /** Точный номер приёмки. */
      number?: string | undefined
      /** Точный номер документа продавца. */
      external_ref?: string | undefined
      /** Приёмки без документа: waiting — ждут одобрения, approved — одобрены. */
      approval?: 'waiting' | 'approved' | undefined
      /** Созданы не раньше. */
      created_from?: string | undefined
      /** Созданы раньше этого времени. */
      created_to?: string | undefined
      /** Порядок: ключ — по возрастанию, с минусом впереди — по убыванию; без параметра новые первыми. planned — только приёмки с плановой датой. */
      sort?: 'created' | '-created' | 'planned' | '-planned' | 'client' | '-client' | 'status' | '-status' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StaffReceiptPage
  }
  /** Одна приёмка. */
  'GET /receipts/{id}': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    answer: StaffReceipt
  }
  /** Подтвердить заявку. */
  'POST /receipts/{id}/confirm': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    body: ReceiptConfirm
    answer: StaffReceipt
  }
  /** Начать приёмку. */
  'POST /receipts/{id}/start': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    answer: StaffReceipt
  }
  /** Закончить приёмку. */
  'POST /receipts/{id}/finish': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    body: ReceiptFinish
    answer: StaffReceipt
  }
  /** Отменить приёмку. */
  'POST /receipts/{id}/cancel': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    body: ReceiptCancel
    answer: StaffReceipt
  }
  /** Завести приёмку. */
  'POST /clients/{id}/receipts': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: StaffReceiptDraft
    answer: StaffReceipt
  }
  /** Завести приёмку из файла. */
  'POST /clients/{id}/receipts/import': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** Кабинет клиента; единственный подставляется сам. */
      cabinet_id?: string | undefined
      /** Номер документа продавца, для склада. */
      external_ref?: string | undefined
      /** Плановая дата: YYYY-MM-DD по Москве или RFC 3339. */
      planned_date?: string | undefined
    }
    body: Blob | FormData
    answer: StaffReceipt
  }
  /** Проверить файл приёмки. */
  'POST /clients/{id}/receipts/import/check': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** Кабинет клиента; единственный подставляется сам. */
      cabinet_id?: string | undefined
      /** Номер документа продавца, для склада. */
      external_ref?: string | undefined
      /** Плановая дата: YYYY-MM-DD по Москве или RFC 3339. */
      planned_date?: string | undefined
    }
    body: Blob | FormData
    answer: GoodsFileCheck
  }
  /** Шаблон таблицы товаров. */
  'GET /receipts/import/template': {
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Посчитать единицы. */
  'POST /receipts/{id}/scans': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    body: ScanDraft
    answer: ScanResult | ScanException
  }
  /** Сканы приёмки. */
  'GET /receipts/{id}/scans': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    query?: {
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ReceiptScanPage
  }
  /** Отменить скан. */
  'POST /receipts/{id}/scans/{scan_id}/undo': {
    path: {
      /** Идентификатор приёмки. */
      id: string
      /** Номер скана, который дал терминал. */
      scan_id: string
    }
    answer: ScanResult
  }
  /** Принять товар без документа. */
  'POST /receipts/walk-in': {
    body: WalkInDraft
    answer: StaffReceipt
  }
  /** Одобрить приёмку без документа. */
  'POST /receipts/{id}/approve': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    answer: StaffReceipt
  }
  /** Склады. */
  'GET /warehouses': {
    query?: {
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: WarehousePage
  }
  /** Завести склад. */
  'POST /warehouses': {
    body: WarehouseDraft
    answer: Warehouse
  }
  /** Открыть или закрыть приём заявок. */
  'PUT /warehouses/{code}/intake': {
    path: {
      /** Код склада. */
      code: string
    }
    body: IntakeSwitch
    answer: Warehouse
  }
  /** Работают ли вебхуки. */
  'GET /webhooks-service': {
    answer: WebhooksSwitch
  }
  /** Включить или выключить вебхуки. */
  'PUT /webhooks-service': {
    body: WebhooksSwitch
    answer: WebhooksSwitch
  }
  /** Идёт ли обмен с маркетплейсами. */
  'GET /marketplaces-service': {
    answer: MarketplacesSwitch
  }
  /** Включить или выключить обмен с маркетплейсами. */
  'PUT /marketplaces-service': {
    body: MarketplacesSwitch
    answer: MarketplacesSwitch
  }
  /** Уходят ли письма с уведомлениями. */
  'GET /notices-service': {
    answer: NoticesSwitch
  }
  /** Включить или выключить письма с уведомлениями. */
  'PUT /notices-service': {
    body: NoticesSwitch
    answer: NoticesSwitch
  }
  /** Клиенты. */
  'GET /clients': {
    query?: {
      /** Слова названия в любом порядке или часть ИНН; регистр не важен. */
      search?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ClientPage
  }
  /** Завести клиента. */
  'POST /clients': {
    body: ClientDraft
    answer: Client
  }
  /** Один клиент. */
  'GET /clients/{id}': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    answer: Client
  }
  /** Изменить клиента. */
  'PATCH /clients/{id}': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    body: ClientPatch
    answer: Client
  }
  /** Кабинеты клиента. */
  'GET /clients/{id}/cabinets': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    query?: {
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: CabinetPage
  }
  /** Завести кабинет. */
  'POST /clients/{id}/cabinets': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    body: CabinetDraft
    answer: StaffCabinet
  }
  /** Один кабинет. */
  'GET /cabinets/{id}': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    answer: StaffCabinet
  }
  /** Изменить кабинет. */
  'PATCH /cabinets/{id}': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    body: CabinetPatch
    answer: StaffCabinet
  }
  /** Кабинеты всех клиентов. */
  'GET /cabinets': {
    query?: {
      /** Кабинеты одного клиента; без него — всех действующих. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Что с ключами; без него — любые. */
      credentials_state?: 'none' | 'unchecked' | 'good' | 'expiring' | 'refused' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: CabinetPage
  }
  /** Поручения кабинета маркетплейсу. */
  'GET /cabinets/{id}/tasks': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    query?: {
      /** Поручения об одной отгрузке, по её id. */
      shipment_id?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: RemoteCommandPage
  }
  /** Что увидели в наблюдаемом кабинете. */
  'GET /cabinets/{id}/observation': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    answer: CabinetObservation
  }
  /** Синхронизировать кабинет сейчас. */
  'POST /cabinets/{id}/sync': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    answer: RequestedSync
  }
  /** Хранить вызовы маркетплейса. */
  'PUT /cabinets/{id}/recording': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    body: CallRecordingDraft
    answer: StaffCabinet
  }
  /** Больше не хранить вызовы. */
  'DELETE /cabinets/{id}/recording': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    answer: StaffCabinet
  }
  /** Вызовы маркетплейса. */
  'GET /cabinets/{id}/calls': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    query?: {
      /** Часть пути, например `/supplies`. */
      path?: string | undefined
      /** Код ответа. */
      status?: number | undefined
      /** Отправлены не раньше. */
      created_from?: string | undefined
      /** Отправлены раньше этого времени. */
      created_to?: string | undefined
      /** Размер страницы. Меньше 1 читается как 20, больше 100 — как 100. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: RecordedCallPage
  }
  /** Удалить вызовы. */
  'DELETE /cabinets/{id}/calls': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    answer: DeletedCalls
  }
  /** Все вызовы одним файлом. */
  'GET /cabinets/{id}/calls/export': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    answer: Array<unknown>
  }
  /** Склады кабинета на маркетплейсе. */
  'GET /cabinets/{id}/warehouses': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    answer: CabinetWarehouses
  }
  /** Документы отгрузки. */
  'GET /shipments/{id}/papers': {
    path: {
      /** Идентификатор отгрузки. */
      id: string
    }
    answer: Blob
  }
  /** Этикетки грузовых мест. */
  'GET /shipments/{id}/container-labels': {
    path: {
      /** Идентификатор отгрузки. */
      id: string
    }
    answer: Blob
  }
  /** Акт о расхождениях. */
  'GET /shipments/{id}/discrepancy-act': {
    path: {
      /** Идентификатор отгрузки. */
      id: string
    }
    answer: Blob
  }
  /** Этикетка заказа. */
  'GET /orders/{id}/sticker': {
    path: {
      /** Идентификатор заказа. */
      id: string
    }
    answer: Blob
  }
  /** Этикетки всех заказов отгрузки. */
  'GET /shipments/{id}/stickers': {
    path: {
      /** Идентификатор отгрузки. */
      id: string
    }
    query?: {
      /** Какие 200 этикеток по счёту: «1» — первые, «2» — следующие. */
      part?: '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '10' | '11' | '12' | '13' | '14' | '15' | '16' | '17' | '18' | '19' | '20' | '21' | '22' | '23' | '24' | '25' | '26' | '27' | '28' | '29' | '30' | '31' | '32' | '33' | '34' | '35' | '36' | '37' | '38' | '39' | '40' | '41' | '42' | '43' | '44' | '45' | '46' | '47' | '48' | '49' | '50' | undefined
    }
    answer: Blob
  }
  /** Код отгрузки. */
  'GET /shipments/{id}/pass': {
    path: {
      /** Идентификатор отгрузки. */
      id: string
    }
    answer: Blob
  }
  /** Ключи клиента. */
  'GET /clients/{id}/keys': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    query?: {
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ApiKeyPage
  }
  /** Выпустить ключ. */
  'POST /clients/{id}/keys': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    body: ApiKeyDraft
    answer: IssuedApiKey
  }
  /** Изменить ключ. */
  'PATCH /keys/{id}': {
    path: {
      /** Идентификатор ключа. */
      id: string
    }
    body: ApiKeyPatch
    answer: ApiKey
  }
  /** Отозвать ключ. */
  'POST /keys/{id}/revoke': {
    path: {
      /** Идентификатор ключа. */
      id: string
    }
    answer: ApiKey
  }
  /** Заявки клиента на ключи. */
  'GET /clients/{id}/key-requests': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    answer: KeyRequestList
  }
  /** Выпустить ключ по заявке. */
  'POST /clients/{id}/key-requests/{request_id}/accept': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Идентификатор заявки. */
      request_id: string
    }
    answer: KeyRequest
  }
  /** Отказать в ключе. */
  'POST /clients/{id}/key-requests/{request_id}/decline': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Идентификатор заявки. */
      request_id: string
    }
    body: KeyRequestDecline
    answer: KeyRequest
  }
  /** Пользователи личного кабинета. */
  'GET /clients/{id}/users': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    answer: ClientUsers
  }
  /** Пригласить в личный кабинет. */
  'POST /clients/{id}/users': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: InvitationDraft
    answer: CreatedInvitation
  }
  /** Изменить роль в личном кабинете. */
  'PATCH /clients/{id}/users/{user_id}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Идентификатор пользователя. */
      user_id: string
    }
    body: SellerMemberPatch
    answer: SellerMember
  }
  /** Забрать доступ к личному кабинету. */
  'DELETE /clients/{id}/users/{user_id}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Идентификатор пользователя. */
      user_id: string
    }
    answer: undefined
  }
  /** Отозвать приглашение. */
  'POST /clients/{id}/invitations/{invitation_id}/revoke': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Идентификатор приглашения. */
      invitation_id: string
    }
    answer: SellerInvitation
  }
  /** Ссылка для нового пароля личного кабинета. */
  'POST /clients/{id}/users/{user_id}/password-link': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Идентификатор пользователя. */
      user_id: string
    }
    body: PasswordLinkDraft
    answer: PasswordLink
  }
  /** Журнал вызовов. */
  'GET /journal/calls': {
    query?: {
      /** Записи этого клиента. */
      client_id?: string | undefined
      /** Записи этого ключа. */
      key_id?: string | undefined
      /** Код ответа. */
      status?: number | undefined
      /** Записи этого запроса (`X-Request-Id`). */
      request_id?: string | undefined
      /** Записи не раньше. */
      created_from?: string | undefined
      /** Записи раньше этого времени. */
      created_to?: string | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: CallPage
  }
  /** Журнал заявок на приёмку. */
  'GET /journal/receipts': {
    query?: {
      /** Записи этого клиента. */
      client_id?: string | undefined
      /** Записи этого ключа. */
      key_id?: string | undefined
      /** Заявки этой приёмки. */
      receipt_id?: string | undefined
      /** Записи этого запроса (`X-Request-Id`). */
      request_id?: string | undefined
      /** Записи не раньше. */
      created_from?: string | undefined
      /** Записи раньше этого времени. */
      created_to?: string | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ReceiptRequestPage
  }
  /** Журнал отказов в заявках. */
  'GET /journal/refused-receipts': {
    query?: {
      /** Записи этого клиента. */
      client_id?: string | undefined
      /** Записи этого ключа. */
      key_id?: string | undefined
      /** Отказы с этим кодом ошибки. */
      code?: string | undefined
      /** Записи этого запроса (`X-Request-Id`). */
      request_id?: string | undefined
      /** Записи не раньше. */
      created_from?: string | undefined
      /** Записи раньше этого времени. */
      created_to?: string | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: RefusedReceiptPage
  }
  /** Журнал изменений. */
  'GET /journal/staff': {
    query?: {
      /** Записи этого клиента. */
      client_id?: string | undefined
      /** Изменения этого объекта; заказа и отгрузки — и решения о ненайденном. */
      object_id?: string | undefined
      /** Кто менял: `staff:<id>`, `seller:<id>` или `command-line`. */
      actor?: string | undefined
      /** Записи этого запроса (`X-Request-Id`). */
      request_id?: string | undefined
      /** Записи не раньше. */
      created_from?: string | undefined
      /** Записи раньше этого времени. */
      created_to?: string | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StaffEntryPage
  }
  /** Попытки доставки. */
  'GET /webhooks/{id}/attempts': {
    path: {
      /** Идентификатор подписки. */
      id: string
    }
    query?: {
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: AttemptPage
  }
  /** Подписки клиента. */
  'GET /clients/{id}/webhooks': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    answer: ClientWebhooks
  }
  /** Товары клиента. */
  'GET /clients/{id}/products': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** Точный штрихкод. */
      barcode?: string | undefined
      /** Слова названия, артикула или штрихкода в любом порядке, без учёта регистра; е и ё — одно и то же. */
      search?: string | undefined
      /** true — только измеренные, false — только без размеров. */
      measured?: 'true' | 'false' | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ProductPage
  }
  /** Один товар. */
  'GET /clients/{id}/products/{barcode}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: Product
  }
  /** Завести или изменить товар. */
  'PUT /clients/{id}/products/{barcode}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    body: ProductDraft
    answer: Product
  }
  /** Размеры товара. */
  'GET /clients/{id}/products/{barcode}/measures': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: MeasuresList
  }
  /** Измерить товар. */
  'POST /clients/{id}/products/{barcode}/measures': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    body: MeasuresDraft
    answer: MeasuresList
  }
  /** Измерить товары по таблице. */
  'POST /clients/{id}/measures/import': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** С какого дня действуют, YYYY-MM-DD; без него — с сегодня. */
      first_day?: string | undefined
    }
    body: Blob | FormData
    answer: ImportedMeasures
  }
  /** Таблица товаров без размеров. */
  'GET /clients/{id}/measures/template': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Составить наборы по таблице. */
  'POST /clients/{id}/sets/import': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: Blob | FormData
    answer: ImportedSets
  }
  /** Проверить таблицу наборов. */
  'POST /clients/{id}/sets/import/check': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: Blob | FormData
    answer: SetsFileCheck
  }
  /** Таблица наборов. */
  'GET /clients/{id}/sets/table': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Картинка товара. */
  'GET /clients/{id}/pictures/{hash}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** SHA-256 картинки. */
      hash: string
    }
    answer: Blob
  }
  /** Загрузить картинку товара. */
  'PUT /clients/{id}/products/{barcode}/picture': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    body: Blob | FormData
    answer: Product
  }
  /** Убрать загруженную картинку. */
  'DELETE /clients/{id}/products/{barcode}/picture': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: Product
  }
  /** Добавить товару штрихкод. */
  'PUT /clients/{id}/products/{barcode}/barcodes/{other}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
      /** Другой штрихкод, закодированный для адреса. */
      other: string
    }
    answer: Product
  }
  /** Убрать у товара другой штрихкод. */
  'DELETE /clients/{id}/products/{barcode}/barcodes/{other}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
      /** Другой штрихкод, закодированный для адреса. */
      other: string
    }
    answer: Product
  }
  /** Что перейдёт при объединении товаров. */
  'GET /clients/{id}/products/{barcode}/merged/{other}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
      /** Штрихкод другого товара, закодированный для адреса. */
      other: string
    }
    answer: MergingPlan
  }
  /** Объединить товары. */
  'PUT /clients/{id}/products/{barcode}/merged/{other}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
      /** Штрихкод другого товара, закодированный для адреса. */
      other: string
    }
    answer: Product
  }
  /** Сроки годности. */
  'GET /lots': {
    query?: {
      /** Клиент; без него — все действующие. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Точный штрихкод. */
      barcode?: string | undefined
      /** Только партии в этом состоянии; expiring — срок истёк или скоро истечёт. */
      state?: 'expired' | 'soon' | 'good' | 'unknown' | 'expiring' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StockLotPage
  }
  /** Партии товара. */
  'GET /clients/{id}/products/{barcode}/lots': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: ProductLots
  }
  /** Учитывать срок годности. */
  'PUT /clients/{id}/products/{barcode}/lots': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    body: LotSettingDraft
    answer: ProductLots
  }
  /** Больше не учитывать срок годности. */
  'DELETE /clients/{id}/products/{barcode}/lots': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: ProductLots
  }
  /** Исправить срок годности. */
  'POST /clients/{id}/products/{barcode}/lots/changes': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    body: LotChangeDraft
    answer: ProductLots
  }
  /** Сделать товар набором. */
  'PUT /clients/{id}/products/{barcode}/parts': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    body: PartsDraft
    answer: Product
  }
  /** Сборки наборов. */
  'GET /clients/{id}/assemblies': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** Одного набора, точный штрихкод. */
      barcode?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: AssemblyPage
  }
  /** Собрать или разобрать наборы. */
  'POST /clients/{id}/assemblies': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: AssemblyDraft
    answer: Assembly
  }
  /** Отменить сборку набора. */
  'POST /clients/{id}/assemblies/{assembly}/undo': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Идентификатор сборки. */
      assembly: string
    }
    answer: Assembly
  }
  /** Причины. */
  'GET /reasons': {
    query?: {
      /** Один список; без него — все. */
      kind?: 'shortage' | 'not_found' | 'correction' | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ReasonPage
  }
  /** Добавить причину. */
  'POST /reasons': {
    body: Reason
    answer: Reason
  }
  /** Короба. */
  'GET /boxes': {
    query?: {
      /** Клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Короба на этой паллете: её id или SSCC. */
      pallet_id?: string | undefined
      /** Короба, в которых лежит товар с этим штрихкодом. */
      barcode?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: BoxPage
  }
  /** Завести короб. */
  'POST /boxes': {
    body: BoxDraft
    answer: Box
  }
  /** Паллеты. */
  'GET /pallets': {
    query?: {
      /** Клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: PalletPage
  }
  /** Завести паллету. */
  'POST /pallets': {
    body: PalletDraft
    answer: Pallet
  }
  /** Один короб. */
  'GET /boxes/{id}': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    answer: Box
  }
  /** Переставить короб. */
  'PATCH /boxes/{id}': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    body: BoxPatch
    answer: Box
  }
  /** Одна паллета. */
  'GET /pallets/{id}': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    answer: Pallet
  }
  /** Положить в короб. */
  'POST /boxes/{id}/put': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    body: BoxedDraft
    answer: Box | ScanException
  }
  /** Взять из короба. */
  'POST /boxes/{id}/take': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    body: BoxedDraft
    answer: Box | ScanException
  }
  /** Переложить в другой короб. */
  'POST /boxes/{id}/move': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    body: BoxMoveDraft
    answer: Box | ScanException
  }
  /** Этикетка короба. */
  'GET /boxes/{id}/label': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    query?: {
      /** Размер в миллиметрах; без него у короба 58x40, у паллеты 100x150. */
      size?: '58x40' | '100x150' | undefined
    }
    answer: Blob
  }
  /** Этикетка паллеты. */
  'GET /pallets/{id}/label': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    query?: {
      /** Размер в миллиметрах; без него у короба 58x40, у паллеты 100x150. */
      size?: '58x40' | '100x150' | undefined
    }
    answer: Blob
  }
  /** Этикетки мест. */
  'POST /labels/locations': {
    body: LocationLabelsDraft
    answer: Blob
  }
  /** Этикетки коробов. */
  'POST /labels/boxes': {
    body: BoxLabelsDraft
    answer: Blob
  }
  /** Этикетки паллет. */
  'POST /labels/pallets': {
    body: PalletLabelsDraft
    answer: Blob
  }
  /** Этикетки товаров. */
  'POST /labels/goods': {
    body: GoodsLabelsDraft
    answer: Blob
  }
  /** Места хранения. */
  'GET /locations': {
    query?: {
      /** Места одного склада; без него — всех. */
      warehouse_code?: string | undefined
      /** Места одной зоны. */
      zone?: string | undefined
      /** Только открытые или только закрытые места. */
      active?: 'true' | 'false' | undefined
      /** Места, где лежат товары клиента. */
      client_id?: string | undefined
      /** Места, где лежит товар с этим штрихкодом. */
      barcode?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: LocationPage
  }
  /** Завести место хранения. */
  'POST /locations': {
    body: LocationDraft
    answer: Location
  }
  /** Одно место хранения. */
  'GET /locations/{id}': {
    path: {
      /** Идентификатор или код места, как на этикетке. */
      id: string
    }
    answer: Location
  }
  /** Изменить место хранения. */
  'PATCH /locations/{id}': {
    path: {
      /** Идентификатор или код места, как на этикетке. */
      id: string
    }
    body: LocationPatch
    answer: Location
  }
  /** Завести места по шаблону. */
  'POST /locations/bulk': {
    body: LocationPattern
    answer: LocationsMade
  }
  /** Этикетка места. */
  'GET /locations/{id}/label': {
    path: {
      /** Идентификатор или код места, как на этикетке. */
      id: string
    }
    answer: Blob
  }
  /** Положить на место. */
  'POST /locations/{id}/put': {
    path: {
      /** Идентификатор или код места, как на этикетке. */
      id: string
    }
    body: LocatedDraft
    answer: Location | ScanException
  }
  /** Взять с места. */
  'POST /locations/{id}/take': {
    path: {
      /** Идентификатор или код места, как на этикетке. */
      id: string
    }
    body: LocatedDraft
    answer: Location | ScanException
  }
  /** Переложить с места. */
  'POST /locations/{id}/move': {
    path: {
      /** Идентификатор или код места, как на этикетке. */
      id: string
    }
    body: LocationMoveDraft
    answer: Location | ScanException
  }
  /** Освободить место. */
  'POST /locations/{id}/empty': {
    path: {
      /** Идентификатор или код места, как на этикетке. */
      id: string
    }
    answer: Location
  }
  /** Поставить короб на место. */
  'POST /boxes/{id}/place': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    body: PlaceDraft
    answer: Box | ScanException
  }
  /** Поставить паллету на место. */
  'POST /pallets/{id}/place': {
    path: {
      /** Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них. */
      id: string
    }
    body: PlaceDraft
    answer: Pallet | ScanException
  }
  /** Поставить на место короб или паллету. */
  'POST /locations/{id}/place': {
    path: {
      /** Идентификатор или код места, как на этикетке. */
      id: string
    }
    body: StandDraft
    answer: Box | Pallet | ScanException
  }
  /** Остатки клиента. */
  'GET /clients/{id}/stock': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** Точный штрихкод. */
      barcode?: string | undefined
      /** Слова названия, артикула или штрихкода в любом порядке, без учёта регистра; е и ё — одно и то же. */
      search?: string | undefined
      /** Сверх спецификации 1.1. Только товары с единицами под вопросом (`in_question`) или те, которых маркетплейс показывает больше, чем доступно (`shows_more`): сумма `marketplace_stock` одного маркетплейса больше `available`, а у набора — и с теми, что соберутся из частей (`parts_allow` в `GET /v1/goods`). */
      selection?: 'in_question' | 'shows_more' | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StaffStockPage
  }
  /** Что под вопросом. */
  'GET /clients/{id}/in-question/{barcode}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: ClientQuestions
  }
  /** Журнал движений клиента. */
  'GET /clients/{id}/movements': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** Движения одного товара, точный штрихкод. */
      barcode?: string | undefined
      /** Вид движения; без него — все. */
      kind?: 'acceptance' | 'shipment' | 'return' | 'correction' | 'write_off' | 'question' | undefined
      /** Код причины; без него — с любой и без неё. */
      reason?: string | undefined
      /** Не раньше. */
      from?: string | undefined
      /** Раньше этого времени. */
      to?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StockMovementPage
  }
  /** Журнал движений. */
  'GET /movements': {
    query?: {
      /** Движения одного клиента; без него — всех действующих. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Движения одного товара, точный штрихкод. */
      barcode?: string | undefined
      /** Вид движения; без него — все. */
      kind?: 'acceptance' | 'shipment' | 'return' | 'correction' | 'write_off' | 'question' | undefined
      /** Код причины; без него — с любой и без неё. */
      reason?: string | undefined
      /** Не раньше. */
      from?: string | undefined
      /** Раньше этого времени. */
      to?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StockMovementPage
  }
  /** Показатели клиента. */
  'GET /clients/{id}/metrics': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    query?: {
      /** Начало периода, включительно. */
      from?: string | undefined
      /** Конец периода, не включая. */
      to?: string | undefined
    }
    answer: Metrics
  }
  /** Скорректировать остаток. */
  'POST /clients/{id}/corrections': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: CorrectionDraft
    answer: StaffStockItem
  }
  /** Списать. */
  'POST /clients/{id}/write-offs': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: WriteOffDraft
    answer: StaffStockItem
  }
  /** Поставить под вопрос. */
  'POST /clients/{id}/in-question': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: QuestionDraft
    answer: StaffStockItem
  }
  /** Закончить расследование. */
  'POST /clients/{id}/in-question/resolve': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: ResolutionDraft
    answer: StaffStockItem
  }
  /** Заказы. */
  'GET /orders': {
    query?: {
      /** Заказы одного клиента; без него — всех действующих. */
      client_id?: string | undefined
      /** Маркетплейс; без него — все. */
      marketplace?: 'WB' | 'OZON' | undefined
      /** Статус; без него — все. */
      status?: 'NEW' | 'ASSEMBLING' | 'IN_DELIVERY' | 'COMPLETED' | 'CANCELLED' | 'OTHER' | undefined
      /** Заказы одной отгрузки, по её id. */
      shipment_id?: string | undefined
      /** Заказы одного кабинета, по его id. */
      cabinet_id?: string | undefined
      /** `true` — только заказы в отгрузках, `false` — только вне отгрузок; без него — все. */
      in_shipment?: 'true' | 'false' | undefined
      /** Точный штрихкод. */
      barcode?: string | undefined
      /** Точный номер заказа в кабинете. */
      external_id?: string | undefined
      /** `true` — только из наблюдаемых кабинетов, `false` — только остальные; без него — все. */
      observed?: 'true' | 'false' | undefined
      /** true — только заказы, которые нужно передать ещё раз: маркетплейс не нашёл их в отгрузке. */
      to_reship?: 'true' | 'false' | undefined
      /** Созданы не раньше. */
      created_from?: string | undefined
      /** Созданы раньше этого времени. */
      created_to?: string | undefined
      /** Ещё не переданы, и срок передачи раньше этого времени. */
      deadline_to?: string | undefined
      /** Порядок: ключ — по возрастанию, с минусом впереди — по убыванию; без параметра новые первыми. deadline — только заказы, которые ждут передачи и у которых есть срок. */
      sort?: 'created' | '-created' | 'deadline' | '-deadline' | 'client' | '-client' | 'status' | '-status' | undefined
      /** Этап пути, как на первой странице. to_pick: ни в одной отгрузке. picking: в отгрузке, не собраны. checking: собраны, упаковку проверяют. ready: можно передавать. handed_over: переданы сегодня. accepted: приняты маркетплейсом сегодня. В отгрузке, где упаковку не проверяют, собранные сразу ready. */
      stage?: 'to_pick' | 'picking' | 'checking' | 'ready' | 'handed_over' | 'accepted' | undefined
      /** Только заказы, которым не хватает товара, как на первой странице: `any` — любого или, с barcode, этого, в какой бы строке он ни стоял; `unknown_barcode` — тем, чей штрихкод маркетплейс не назвал. */
      lacking?: 'any' | 'unknown_barcode' | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StaffOrderPage
  }
  /** Один заказ. */
  'GET /orders/{id}': {
    path: {
      /** Идентификатор заказа в сервисе. */
      id: string
    }
    answer: StaffOrderWithHistory
  }
  /** Сообщить статус маркетплейса. */
  'PATCH /orders/{id}': {
    path: {
      /** Идентификатор заказа в сервисе. */
      id: string
    }
    body: OrderPatch
    answer: StaffOrder
  }
  /** Принять заказы. */
  'POST /clients/{id}/orders': {
    path: {
      /** Идентификатор клиента. */
      id: string
    }
    body: OrderDrafts
    answer: OrderIntake
  }
  /** Разделить заказ по коробкам. */
  'POST /orders/{id}/split': {
    path: {
      /** Идентификатор заказа. */
      id: string
    }
    body: OrderPackages
    answer: SplitOrderParts
  }
  /** Назвать число коробок. */
  'PUT /orders/{id}/boxes': {
    path: {
      /** Идентификатор заказа. */
      id: string
    }
    body: OrderBoxCount
    answer: StaffOrder
  }
  /** Отгрузки. */
  'GET /shipments': {
    query?: {
      /** Отгрузки одного клиента; без него — всех действующих. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Маркетплейс; без него — все. */
      marketplace?: 'WB' | 'OZON' | undefined
      /** Состояние; без него — все. */
      status?: 'ASSEMBLING' | 'HANDED_OVER' | 'ACCEPTED' | undefined
      /** Точный номер отгрузки в кабинете. */
      external_id?: string | undefined
      /** `true` — только из наблюдаемых кабинетов, `false` — только остальные; без него — все. */
      observed?: 'true' | 'false' | undefined
      /** Открыты не раньше. */
      created_from?: string | undefined
      /** Открыты раньше этого времени. */
      created_to?: string | undefined
      /** Собираются, и срок хотя бы одного их заказа раньше этого времени. */
      deadline_to?: string | undefined
      /** Порядок: ключ — по возрастанию, с минусом впереди — по убыванию; без параметра новые первыми. deadline — только отгрузки, которые собирают и у которых есть срок. */
      sort?: 'created' | '-created' | 'deadline' | '-deadline' | 'client' | '-client' | 'status' | '-status' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StaffShipmentPage
  }
  /** Открыть отгрузку. */
  'POST /shipments': {
    body: ShipmentDraft
    answer: StaffShipment | FilledShipment
  }
  /** Одна отгрузка. */
  'GET /shipments/{id}': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    answer: StaffShipment
  }
  /** Отменить отгрузку. */
  'DELETE /shipments/{id}': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    answer: undefined
  }
  /** Добавить заказы. */
  'POST /shipments/{id}/orders': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    body: JoiningOrders
    answer: FilledShipment
  }
  /** Убрать заказ. */
  'DELETE /shipments/{id}/orders/{order_id}': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
      /** Идентификатор заказа. */
      order_id: string
    }
    answer: undefined
  }
  /** Закрыть отгрузку. */
  'POST /shipments/{id}/close': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    answer: StaffShipment
  }
  /** Отметить приёмку маркетплейсом. */
  'POST /shipments/{id}/accept': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    body: Acceptance
    answer: StaffShipment
  }
  /** Чего не хватило отгрузке. */
  'GET /shipments/{id}/shortages': {
    path: {
      /** Идентификатор отгрузки. */
      id: string
    }
    answer: ShipmentShortages
  }
  /** Заказы, которые можно добавить. */
  'GET /shipments/{id}/waiting-orders': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    answer: WaitingOrders
  }
  /** Что может уехать сейчас. */
  'GET /cabinets/{id}/day-shipment': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    answer: DayShipment
  }
  /** Отгрузить выбранные заказы. */
  'POST /orders/to-shipment': {
    body: ChosenOrders
    answer: ShippedOrders
  }
  /** Пункты отгрузки города. */
  'GET /cabinets/{id}/shipping-points': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    query?: {
      /** Город, как его пишет маркетплейс, например `Москва`; нужен всегда. */
      city?: string | undefined
      /** Только пункты, которые принимают такой груз; без него — любые. */
      cargo_type?: '1' | '2' | '3' | undefined
    }
    answer: ShippingPointList
  }
  /** Пункты кабинета по умолчанию. */
  'GET /cabinets/{id}/shipping-defaults': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    answer: ShippingDefaultList
  }
  /** Выбрать пункты кабинета. */
  'PUT /cabinets/{id}/shipping-defaults': {
    path: {
      /** Идентификатор кабинета. */
      id: string
    }
    body: ShippingDefaultsDraft
    answer: ShippingDefaultList
  }
  /** Выбрать, куда везти отгрузку. */
  'PUT /shipments/{id}/shipping-method': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    body: ShippingMethodDraft
    answer: StaffShipment
  }
  /** Грузоместа отгрузки. */
  'GET /shipments/{id}/boxes': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    answer: ShipmentBoxList
  }
  /** Добавить грузоместа. */
  'PUT /shipments/{id}/boxes': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    body: ShipmentBoxesDraft
    answer: ShipmentBoxList
  }
  /** Этикетка грузоместа. */
  'GET /shipments/{id}/boxes/{box_id}/sticker': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
      /** Номер грузоместа на маркетплейсе. */
      box_id: string
    }
    answer: Blob
  }
  /** Удалить грузоместо. */
  'DELETE /shipments/{id}/boxes/{box_id}': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
      /** Номер грузоместа на маркетплейсе. */
      box_id: string
    }
    answer: undefined
  }
  /** Задания на сборку. */
  'GET /picking-tasks': {
    query?: {
      /** Задания одного клиента; без него — всех действующих. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Состояние; без него — все. */
      status?: 'OPEN' | 'DONE' | undefined
      /** Задание одной отгрузки, по её id. */
      shipment_id?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: PickingTaskPage
  }
  /** Одно задание. */
  'GET /picking-tasks/{id}': {
    path: {
      /** Идентификатор задания. */
      id: string
    }
    answer: PickingTask
  }
  /** Положить единицу в заказ. */
  'POST /picking-tasks/{id}/picks': {
    path: {
      /** Идентификатор задания. */
      id: string
    }
    body: PickDraft
    answer: PickResult | ScanException
  }
  /** Указать недостающее о собранной единице. */
  'PUT /picking-tasks/{id}/picks/{scan_id}/marks': {
    path: {
      /** Идентификатор задания. */
      id: string
      /** Номер скана единицы. */
      scan_id: string
    }
    body: UnitMarksDraft
    answer: PickResult
  }
  /** Отменить скан сборки. */
  'POST /picking-tasks/{id}/picks/{scan_id}/undo': {
    path: {
      /** Идентификатор задания. */
      id: string
      /** Номер скана единицы. */
      scan_id: string
    }
    answer: PickResult
  }
  /** Взять задание. */
  'POST /picking-tasks/{id}/claim': {
    path: {
      /** Идентификатор задания. */
      id: string
    }
    answer: PickingTask
  }
  /** Отдать задание. */
  'POST /picking-tasks/{id}/release': {
    path: {
      /** Идентификатор задания. */
      id: string
    }
    answer: PickingTask
  }
  /** Передать задание. */
  'POST /picking-tasks/{id}/take-over': {
    path: {
      /** Идентификатор задания. */
      id: string
    }
    body: TakeOver
    answer: PickingTask
  }
  /** Товар не найден. */
  'POST /picking-tasks/{id}/not-found': {
    path: {
      /** Идентификатор задания. */
      id: string
    }
    body: MissDraft
    answer: PickingTask
  }
  /** Ненайденные товары. */
  'GET /misses': {
    query?: {
      /** Клиент; без него — все действующие. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** OPEN: ждёт решения менеджера. DECIDED: решено. CLOSED: решать больше нечего. Товар нашёлся, о нём сообщили ещё раз, или заказ отменён либо ушёл из отгрузки. */
      status?: 'OPEN' | 'DECIDED' | 'CLOSED' | undefined
      /** Отгрузка, по её id. */
      shipment_id?: string | undefined
      /** Заказ, по его id. */
      order_id?: string | undefined
      /** Порядок: ключ — по возрастанию, с минусом впереди — по убыванию; без параметра новые первыми. */
      sort?: 'created' | '-created' | 'client' | '-client' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: MissPage
  }
  /** Ненайденный товар. */
  'GET /misses/{id}': {
    path: {
      /** Идентификатор ненайденного товара. */
      id: string
    }
    answer: MissWithPlaces
  }
  /** Взять в другом месте. */
  'POST /misses/{id}/look-elsewhere': {
    path: {
      /** Идентификатор ненайденного товара. */
      id: string
    }
    body: OtherPlaceDraft
    answer: Miss
  }
  /** Исправить остаток ненайденного. */
  'POST /misses/{id}/correct-stock': {
    path: {
      /** Идентификатор ненайденного товара. */
      id: string
    }
    body: MissedStockDraft
    answer: Miss
  }
  /** Убрать заказ с ненайденным товаром. */
  'POST /misses/{id}/remove-order': {
    path: {
      /** Идентификатор ненайденного товара. */
      id: string
    }
    body: MissedOrderDraft
    answer: Miss
  }
  /** Сообщить продавцу о ненайденном. */
  'POST /misses/{id}/tell-seller': {
    path: {
      /** Идентификатор ненайденного товара. */
      id: string
    }
    body: MissedStockDraft
    answer: Miss
  }
  /** Проверить единицу при упаковке. */
  'POST /shipments/{id}/checks': {
    path: {
      /** Идентификатор отгрузки. */
      id: string
    }
    body: PackCheckDraft
    answer: PackCheck | ScanException
  }
  /** Что маркетплейсы возвращают. */
  'GET /expected-returns': {
    query?: {
      /** Возвраты одного клиента; без него — всех действующих. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Возвраты одного кабинета. */
      cabinet_id?: string | undefined
      /** Состояние; без него — все. */
      state?: 'ON_THE_WAY' | 'READY' | 'RECEIVED' | 'NOT_COMING' | 'OTHER' | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ExpectedReturnPage
  }
  /** Приёмы возвратов. */
  'GET /returns': {
    query?: {
      /** Клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Кабинет; без него — все. */
      cabinet_id?: string | undefined
      /** Состояние; без него — все. */
      status?: 'OPEN' | 'FINISHED' | undefined
      /** Точный номер. */
      number?: string | undefined
      /** Начаты не раньше. */
      created_from?: string | undefined
      /** Начаты раньше этого времени. */
      created_to?: string | undefined
      /** Порядок: ключ — по возрастанию, с минусом впереди — по убыванию; без параметра новые первыми. */
      sort?: 'created' | '-created' | 'client' | '-client' | 'status' | '-status' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ReturnBatchPage
  }
  /** Начать приём возвратов. */
  'POST /returns': {
    body: ReturnBatchDraft
    answer: ReturnBatchContent
  }
  /** Один приём возвратов. */
  'GET /returns/{id}': {
    path: {
      /** Идентификатор приёма возвратов. */
      id: string
    }
    answer: ReturnBatchContent
  }
  /** Закончить приём возвратов. */
  'POST /returns/{id}/finish': {
    path: {
      /** Идентификатор приёма возвратов. */
      id: string
    }
    answer: ReturnBatchContent
  }
  /** Принять единицу. */
  'POST /returns/{id}/scans': {
    path: {
      /** Идентификатор приёма возвратов. */
      id: string
    }
    body: ReturnScanDraft
    answer: ReturnScanResult | ScanException
  }
  /** Принять единицу без номера приёма. */
  'POST /returns/scans': {
    body: ReturnScanOfDayDraft
    answer: ReturnScanResult | ScanException
  }
  /** Отменить скан возврата. */
  'POST /returns/{id}/scans/{scan_id}/undo': {
    path: {
      /** Идентификатор приёма возвратов. */
      id: string
      /** Номер скана, который дал терминал. */
      scan_id: string
    }
    answer: ReturnScanResult
  }
  /** Исключения. */
  'GET /exceptions': {
    query?: {
      /** Клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** OPEN — ждут решения, RESOLVED — решены. */
      status?: 'OPEN' | 'RESOLVED' | undefined
      /** receipt_scan — скан приёмки, pick — скан сборки, pack_check — проверка упаковки, return_scan — скан возврата, return_scan_of_day — он же без номера приёма возвратов, count_scan — скан пересчёта, location_put, location_take и location_move — положили на место, взяли с него, переложили; box_put, box_take и box_move — то же с коробом; box_place и pallet_place — поставили короб или паллету. */
      kind?: 'receipt_scan' | 'pick' | 'pack_check' | 'return_scan' | 'return_scan_of_day' | 'count_scan' | 'location_put' | 'location_take' | 'location_move' | 'box_put' | 'box_take' | 'box_move' | 'box_place' | 'pallet_place' | undefined
      /** Пришли не раньше. */
      created_from?: string | undefined
      /** Пришли раньше этого времени. */
      created_to?: string | undefined
      /** Порядок: ключ — по возрастанию, с минусом впереди — по убыванию; без параметра новые первыми. */
      sort?: 'created' | '-created' | 'client' | '-client' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ScanExceptionPage
  }
  /** Исключение. */
  'GET /exceptions/{id}': {
    path: {
      /** Идентификатор исключения. */
      id: string
    }
    answer: ScanException
  }
  /** Решить исключение. */
  'POST /exceptions/{id}/resolve': {
    path: {
      /** Идентификатор исключения. */
      id: string
    }
    body: ExceptionResolution
    answer: ScanException
  }
  /** Документ для печати. */
  'GET /documents/{kind}/{id}': {
    path: {
      /** Вид: receipt, return, count, shipment или picking-task. */
      kind: string
      /** Идентификатор приёмки, приёма возвратов, пересчёта, отгрузки или задания на сборку. */
      id: string
    }
    query?: {
      /** Формат; без него решает заголовок Accept, иначе pdf. */
      format?: 'pdf' | 'html' | undefined
    }
    answer: Blob
  }
  /** Выгрузить список. */
  'GET /exports/{list}': {
    path: {
      /** Список: orders, receipts, shipments, misses, returns, counts, exceptions, count-lines, picking-tasks, expected-returns, print-jobs, shortages, contents, observation, receipt-lines, picking-lines, return-lines, return-scans, stock, products, lots, movements, boxes, pallets, locations, keys, invitations, webhooks, charges, acts, key-requests, client-users, billing-periods, clients, cabinets, users, devices, warehouses, reasons, print-stations, changes, calls, letters, attempts, commands, shifts, receipt-requests, refused-receipts, cabinet-calls, receipt-scans. */
      list: string
    }
    query?: {
      /** Как у самого списка. */
      client_id?: string | undefined
      /** Маркетплейс; без него — все. */
      marketplace?: 'WB' | 'OZON' | undefined
      /** Как у самого списка. */
      status?: string | undefined
      /** Как у самого списка. */
      shipment_id?: string | undefined
      /** Как у самого списка. */
      cabinet_id?: string | undefined
      /** `true` — только заказы в отгрузках, `false` — только вне отгрузок; без него — все. */
      in_shipment?: 'true' | 'false' | undefined
      /** Как у самого списка. */
      barcode?: string | undefined
      /** Как у самого списка. */
      external_id?: string | undefined
      /** `true` — только из наблюдаемых кабинетов, `false` — только остальные; без него — все. */
      observed?: 'true' | 'false' | undefined
      /** true — только заказы, которые нужно передать ещё раз: маркетплейс не нашёл их в отгрузке. */
      to_reship?: 'true' | 'false' | undefined
      /** Как у самого списка. */
      created_from?: string | undefined
      /** Как у самого списка. */
      created_to?: string | undefined
      /** Как у самого списка. */
      deadline_to?: string | undefined
      /** Как у самого списка. */
      sort?: string | undefined
      /** Этап пути, как на первой странице. to_pick: ни в одной отгрузке. picking: в отгрузке, не собраны. checking: собраны, упаковку проверяют. ready: можно передавать. handed_over: переданы сегодня. accepted: приняты маркетплейсом сегодня. В отгрузке, где упаковку не проверяют, собранные сразу ready. */
      stage?: 'to_pick' | 'picking' | 'checking' | 'ready' | 'handed_over' | 'accepted' | undefined
      /** Только заказы, которым не хватает товара, как на первой странице: `any` — любого или, с barcode, этого, в какой бы строке он ни стоял; `unknown_barcode` — тем, чей штрихкод маркетплейс не назвал. */
      lacking?: 'any' | 'unknown_barcode' | undefined
      /** Как у самого списка. */
      warehouse_code?: string | undefined
      /** Как у самого списка. */
      number?: string | undefined
      /** Точный номер документа продавца. */
      external_ref?: string | undefined
      /** Приёмки без документа: waiting — ждут одобрения, approved — одобрены. */
      approval?: 'waiting' | 'approved' | undefined
      /** Заказ, по его id. */
      order_id?: string | undefined
      /** Как у самого списка. */
      kind?: string | undefined
      /** Пересчёт. */
      count_id?: string | undefined
      /** Как у самого списка. */
      state?: string | undefined
      /** Задания для этой станции и те, что она взяла. */
      station_id?: string | undefined
      /** Место хранения: товары вне коробов. */
      location_id?: string | undefined
      /** Короб. */
      box_id?: string | undefined
      /** Как у самого списка. */
      pallet_id?: string | undefined
      /** Как у самого списка. */
      receipt_id?: string | undefined
      /** Задание на сборку. */
      picking_task_id?: string | undefined
      /** Приём возвратов. */
      return_id?: string | undefined
      /** Как у самого списка. */
      search?: string | undefined
      /** Сверх спецификации 1.1. Только товары с единицами под вопросом (`in_question`) или те, которых маркетплейс показывает больше, чем доступно (`shows_more`): сумма `marketplace_stock` одного маркетплейса больше `available`, а у набора — и с теми, что соберутся из частей (`parts_allow` в `GET /v1/goods`). */
      selection?: 'in_question' | 'shows_more' | undefined
      /** true — только измеренные, false — только без размеров. */
      measured?: 'true' | 'false' | undefined
      /** Код причины; без него — с любой и без неё. */
      reason?: string | undefined
      /** Как у самого списка. */
      from?: string | undefined
      /** Как у самого списка. */
      to?: string | undefined
      /** Места одной зоны. */
      zone?: string | undefined
      /** Как у самого списка. */
      active?: string | undefined
      /** Один расчётный период: день его месяца. */
      period?: string | undefined
      /** Код услуги. */
      service?: string | undefined
      /** За что: вид и идентификатор, например order:01a2…; и то, что к нему начислили вручную. */
      source?: string | undefined
      /** Что с ключами; без него — любые. */
      credentials_state?: 'none' | 'unchecked' | 'good' | 'expiring' | 'refused' | undefined
      /** HANDHELD — терминал, на нём входят по PIN; STATION — станция печати, SCREEN — экран на стене: им вход не нужен. Без него — все. */
      purpose?: 'HANDHELD' | 'STATION' | 'SCREEN' | undefined
      /** Изменения этого объекта; заказа и отгрузки — и решения о ненайденном. */
      object_id?: string | undefined
      /** Кто менял: `staff:<id>`, `seller:<id>` или `command-line`. */
      actor?: string | undefined
      /** Записи этого запроса (`X-Request-Id`). */
      request_id?: string | undefined
      /** Записи этого ключа. */
      key_id?: string | undefined
      /** Подписка. */
      webhook_id?: string | undefined
      /** Один пользователь. */
      user_id?: string | undefined
      /** Отказы с этим кодом ошибки. */
      code?: string | undefined
      /** Часть пути, например `/supplies`. */
      path?: string | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Станции печати. */
  'GET /print-stations': {
    query?: {
      /** Станции одного склада; без него — всех. */
      warehouse_code?: string | undefined
      /** Только открытые или только закрытые. */
      active?: 'true' | 'false' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: PrintStationPage
  }
  /** Завести станцию печати. */
  'POST /print-stations': {
    body: PrintStationDraft
    answer: PrintStation
  }
  /** Одна станция печати. */
  'GET /print-stations/{id}': {
    path: {
      /** Идентификатор станции. */
      id: string
    }
    answer: PrintStation
  }
  /** Изменить станцию печати. */
  'PATCH /print-stations/{id}': {
    path: {
      /** Идентификатор станции. */
      id: string
    }
    body: PrintStationPatch
    answer: PrintStation
  }
  /** Взять задание печати. */
  'POST /print-stations/{id}/take': {
    path: {
      /** Идентификатор станции. */
      id: string
    }
    query?: {
      /** Сколько секунд ждать задания, если его нет. */
      wait?: number | undefined
    }
    body: StationTab
    answer: NextPrintJob
  }
  /** Задания печати. */
  'GET /print-jobs': {
    query?: {
      /** Задания одного склада; без него — всех. */
      warehouse_code?: string | undefined
      /** Задания для этой станции и те, что она взяла. */
      station_id?: string | undefined
      /** QUEUED — ждёт станции, PRINTING — печатается, PRINTED — напечатано, FAILED — не напечатано. */
      status?: 'QUEUED' | 'PRINTING' | 'PRINTED' | 'FAILED' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: PrintJobPage
  }
  /** Напечатать. */
  'POST /print-jobs': {
    body: PrintJobDraft
    answer: PrintJob
  }
  /** Одно задание печати. */
  'GET /print-jobs/{id}': {
    path: {
      /** Идентификатор задания печати. */
      id: string
    }
    answer: PrintJob
  }
  /** Итог печати. */
  'PATCH /print-jobs/{id}': {
    path: {
      /** Идентификатор задания печати. */
      id: string
    }
    body: PrintOutcomeDraft
    answer: PrintJob
  }
  /** Что напечатать. */
  'GET /print-jobs/{id}/content': {
    path: {
      /** Идентификатор задания печати. */
      id: string
    }
    answer: Blob
  }
  /** Что ждёт внимания. */
  'GET /today': {
    query?: {
      /** Только этот клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
    }
    answer: Today
  }
  /** Путь заказов подробно. */
  'GET /today/flow': {
    query?: {
      /** Только этот клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** По чему разбить; без него — по маркетплейсам. */
      by?: 'marketplace' | 'client' | 'warehouse' | undefined
    }
    answer: GroupedFlow
  }
  /** Как идёт день. */
  'GET /today/curve': {
    query?: {
      /** Только этот клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
    }
    answer: TodayCurve
  }
  /** Сколько чего ждёт. */
  'GET /counters': {
    query?: {
      /** Только этот клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
    }
    answer: WaitingCounters
  }
  /** Заявки на ключи, которые ждут. */
  'GET /key-requests': {
    query?: {
      /** Только этот клиент; без него — все. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
    }
    answer: WaitingKeyRequests
  }
  /** Поток за день или месяц. */
  'GET /figures/flow': {
    query?: {
      /** С каких суток по Москве; без него — сегодня или, по суткам, за 30 суток. */
      from?: string | undefined
      /** По какие сутки, не включая; без него — до конца сегодняшних. */
      to?: string | undefined
      /** Шаг: hour — по часам, не больше 2 суток; day — по суткам, не больше 92. Без него — hour. */
      step?: 'hour' | 'day' | undefined
    }
    answer: Flow
  }
  /** Показатели сейчас. */
  'GET /figures/now': {
    answer: FiguresNow
  }
  /** Что это за код. */
  'GET /lookup': {
    query?: {
      /** Код, как его прочитал сканер или набрал человек. */
      code?: string | undefined
    }
    answer: CodeLookup
  }
  /** Товары по названию. */
  'GET /goods': {
    query?: {
      /** Начала слов названия: «круж кер» находит «Кружка керамическая». */
      name?: string | undefined
    }
    answer: NamedGoodsList
  }
  /** Услуги склада. */
  'GET /warehouses/{code}/billing-services': {
    path: {
      /** Код склада. */
      code: string
    }
    answer: BillingServices
  }
  /** Завести свою услугу. */
  'POST /warehouses/{code}/billing-services': {
    path: {
      /** Код склада. */
      code: string
    }
    body: OwnServiceDraft
    answer: BillingService
  }
  /** Исполнители. */
  'GET /warehouses/{code}/billing-providers': {
    path: {
      /** Код склада. */
      code: string
    }
    answer: BillingProviders
  }
  /** Назвать исполнителя. */
  'PUT /warehouses/{code}/billing-providers': {
    path: {
      /** Код склада. */
      code: string
    }
    body: BillingProviderDraft
    answer: BillingProviders
  }
  /** Тариф склада. */
  'GET /warehouses/{code}/tariffs': {
    path: {
      /** Код склада. */
      code: string
    }
    answer: Tariffs
  }
  /** Завести версию тарифа склада. */
  'POST /warehouses/{code}/tariffs': {
    path: {
      /** Код склада. */
      code: string
    }
    body: TariffDraft
    answer: Tariffs
  }
  /** Тариф клиента. */
  'GET /clients/{id}/tariffs': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    answer: Tariffs
  }
  /** Завести версию тарифа клиента. */
  'POST /clients/{id}/tariffs': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    body: TariffDraft
    answer: Tariffs
  }
  /** Как считают хранение. */
  'GET /clients/{id}/storage-terms': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    answer: StorageTermsList
  }
  /** Назвать условия хранения. */
  'POST /clients/{id}/storage-terms': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    body: StorageTerms
    answer: StorageTermsList
  }
  /** Начисления клиента. */
  'GET /clients/{id}/charges': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    query?: {
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
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: StaffChargePage
  }
  /** Сколько начислено клиенту. */
  'GET /clients/{id}/charges/summary': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    query?: {
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
    answer: ChargeSummary
  }
  /** Посчитать сейчас. */
  'POST /clients/{id}/charges/recount': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    answer: ChargeSummary
  }
  /** Начислить вручную. */
  'POST /clients/{id}/manual-charges': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    body: ManualChargeDraft
    answer: MadeManualCharge
  }
  /** Отменить начисленное вручную. */
  'DELETE /clients/{id}/manual-charges/{charge_id}': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
      /** Идентификатор начисленного. */
      charge_id: string
    }
    answer: undefined
  }
  /** Прогноз на конец месяца. */
  'GET /clients/{id}/charges/forecast': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    answer: MonthForecast
  }
  /** Месяц клиента по версии тарифа. */
  'GET /clients/{id}/tariff-trials/{version}': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
      /** Версия тарифа склада, с которым работает клиент. */
      version: string
    }
    query?: {
      /** Месяц: любой его день; без параметра — прошлый месяц. */
      period?: string | undefined
    }
    answer: TariffTrial
  }
  /** Месяцы, которые пора закрыть. */
  'GET /warehouses/{code}/due-billing-periods': {
    path: {
      /** Склад. */
      code: string
    }
    answer: DueBillingPeriods
  }
  /** Расчётные периоды. */
  'GET /clients/{id}/billing-periods': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    answer: BillingPeriods
  }
  /** Готов ли месяц к закрытию. */
  'GET /clients/{id}/billing-periods/{month}': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
      /** Первый день месяца: 2026-11-01. */
      month: string
    }
    answer: ClosingState
  }
  /** Закрыть месяц. */
  'POST /clients/{id}/billing-periods/{month}/close': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
      /** Первый день месяца: 2026-11-01. */
      month: string
    }
    answer: Act
  }
  /** Акты клиента. */
  'GET /clients/{id}/acts': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
    }
    query?: {
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: ActPage
  }
  /** Один акт. */
  'GET /clients/{id}/acts/{act_id}': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
      /** Идентификатор акта. */
      act_id: string
    }
    answer: Act
  }
  /** Акт файлом. */
  'GET /clients/{id}/acts/{act_id}/file': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
      /** Идентификатор акта. */
      act_id: string
    }
    query?: {
      /** pdf, html — страница для печати, 1c — CSV для загрузки в 1С; без него решает заголовок Accept, иначе pdf. */
      format?: 'pdf' | 'html' | '1c' | undefined
    }
    answer: Blob
  }
  /** Детализация акта. */
  'GET /clients/{id}/acts/{act_id}/charges': {
    path: {
      /** Идентификатор юридического лица. */
      id: string
      /** Идентификатор акта. */
      act_id: string
    }
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Фото приёмки. */
  'GET /receipts/{id}/photos': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    answer: StaffPhotos
  }
  /** Приложить фото приёмки. */
  'PUT /receipts/{id}/photos/{photo}': {
    path: {
      /** Идентификатор приёмки. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    query?: {
      /** Когда снято, по часам терминала; без него — сейчас. */
      taken_at?: string | undefined
      /** Скан единицы, которая на фото. */
      scan_id?: string | undefined
    }
    body: Blob | FormData
    answer: StaffPhoto
  }
  /** Убрать фото приёмки. */
  'DELETE /receipts/{id}/photos/{photo}': {
    path: {
      /** Идентификатор приёмки. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    answer: undefined
  }
  /** Фото приёма возвратов. */
  'GET /returns/{id}/photos': {
    path: {
      /** Идентификатор приёма возвратов. */
      id: string
    }
    answer: StaffPhotos
  }
  /** Приложить фото приёма возвратов. */
  'PUT /returns/{id}/photos/{photo}': {
    path: {
      /** Идентификатор приёма возвратов. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    query?: {
      /** Когда снято, по часам терминала; без него — сейчас. */
      taken_at?: string | undefined
      /** Скан единицы, которая на фото. */
      scan_id?: string | undefined
    }
    body: Blob | FormData
    answer: StaffPhoto
  }
  /** Убрать фото приёма возвратов. */
  'DELETE /returns/{id}/photos/{photo}': {
    path: {
      /** Идентификатор приёма возвратов. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    answer: undefined
  }
  /** Фото заказа. */
  'GET /orders/{id}/photos': {
    path: {
      /** Идентификатор заказа. */
      id: string
    }
    answer: StaffPhotos
  }
  /** Приложить фото заказа. */
  'PUT /orders/{id}/photos/{photo}': {
    path: {
      /** Идентификатор заказа. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    query?: {
      /** Когда снято, по часам терминала; без него — сейчас. */
      taken_at?: string | undefined
      /** Скан единицы, которая на фото. */
      scan_id?: string | undefined
    }
    body: Blob | FormData
    answer: StaffPhoto
  }
  /** Убрать фото заказа. */
  'DELETE /orders/{id}/photos/{photo}': {
    path: {
      /** Идентификатор заказа. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    answer: undefined
  }
  /** Фото пересчёта. */
  'GET /counts/{id}/photos': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    answer: StaffPhotos
  }
  /** Приложить фото пересчёта. */
  'PUT /counts/{id}/photos/{photo}': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    query?: {
      /** Когда снято, по часам терминала; без него — сейчас. */
      taken_at?: string | undefined
      /** Скан единицы, которая на фото. */
      scan_id?: string | undefined
    }
    body: Blob | FormData
    answer: StaffPhoto
  }
  /** Убрать фото пересчёта. */
  'DELETE /counts/{id}/photos/{photo}': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    answer: undefined
  }
  /** Фото исключения. */
  'GET /exceptions/{id}/photos': {
    path: {
      /** Идентификатор исключения. */
      id: string
    }
    answer: StaffPhotos
  }
  /** Приложить фото исключения. */
  'PUT /exceptions/{id}/photos/{photo}': {
    path: {
      /** Идентификатор исключения. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    query?: {
      /** Когда снято, по часам терминала; без него — сейчас. */
      taken_at?: string | undefined
      /** Скан единицы, которая на фото. */
      scan_id?: string | undefined
    }
    body: Blob | FormData
    answer: StaffPhoto
  }
  /** Убрать фото исключения. */
  'DELETE /exceptions/{id}/photos/{photo}': {
    path: {
      /** Идентификатор исключения. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    answer: undefined
  }
  /** Фото записи об остатке. */
  'GET /clients/{id}/stock-entries/{entry}/photos': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Номер записи: `entry_id` списания, корректировки или вопроса. */
      entry: string
    }
    answer: StaffPhotos
  }
  /** Приложить фото записи об остатке. */
  'PUT /clients/{id}/stock-entries/{entry}/photos/{photo}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Номер записи: `entry_id` списания, корректировки или вопроса. */
      entry: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    query?: {
      /** Когда снято, по часам терминала; без него — сейчас. */
      taken_at?: string | undefined
      /** Скан единицы, которая на фото. */
      scan_id?: string | undefined
    }
    body: Blob | FormData
    answer: StaffPhoto
  }
  /** Убрать фото записи об остатке. */
  'DELETE /clients/{id}/stock-entries/{entry}/photos/{photo}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Номер записи: `entry_id` списания, корректировки или вопроса. */
      entry: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    answer: undefined
  }
  /** Приложить фото единицы, которая вернулась. */
  'PUT /returns/scans/photos/{photo}': {
    path: {
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    query?: {
      /** Когда снято, по часам терминала; без него — сейчас. */
      taken_at?: string | undefined
      /** Скан единицы, которая на фото. */
      scan_id?: string | undefined
    }
    body: Blob | FormData
    answer: StaffPhoto
  }
  /** Снимок. */
  'GET /clients/{id}/photos/{photo}': {
    path: {
      /** Идентификатор клиента. */
      id: string
      /** Номер фото: его даёт тот, кто снял, UUID. */
      photo: string
    }
    answer: Blob
  }
  /** Файл для спора о заказе. */
  'GET /orders/{id}/evidence': {
    path: {
      /** Идентификатор заказа. */
      id: string
    }
    answer: Blob
  }
  /** Пересчёты. */
  'GET /counts': {
    query?: {
      /** Пересчёты одного клиента; без него — всех действующих. */
      client_id?: string | undefined
      /** Только клиенты этого склада, по его коду. */
      warehouse_code?: string | undefined
      /** Состояние; без него — все. */
      status?: 'DRAFT' | 'COUNTING' | 'REVIEW' | 'CLOSED' | 'CANCELLED' | undefined
      /** Заведены не раньше. */
      created_from?: string | undefined
      /** Заведены раньше этого времени. */
      created_to?: string | undefined
      /** Порядок: ключ — по возрастанию, с минусом впереди — по убыванию; без параметра новые первыми. */
      sort?: 'created' | '-created' | 'client' | '-client' | 'status' | '-status' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
      /** true — только те, которые считают и где вызывающему есть что считать: сам он не сказал, что закончил, и закончили ещё не все. */
      to_count?: 'true' | undefined
    }
    answer: StockCountPage
  }
  /** Завести пересчёт. */
  'POST /counts': {
    body: CountDraft
    answer: StockCount
  }
  /** Один пересчёт. */
  'GET /counts/{id}': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    answer: StockCount
  }
  /** Начать пересчёт. */
  'POST /counts/{id}/start': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    answer: StockCount
  }
  /** Отдать на проверку. */
  'POST /counts/{id}/review': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    answer: StockCount
  }
  /** Закрыть пересчёт. */
  'POST /counts/{id}/close': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    answer: StockCount
  }
  /** Отменить пересчёт. */
  'POST /counts/{id}/cancel': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    answer: StockCount
  }
  /** Закончить считать. */
  'POST /counts/{id}/finish': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    body: CountRoundDraft
    answer: StockCount
  }
  /** Считать дальше. */
  'POST /counts/{id}/resume': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    body: CountRoundDraft
    answer: StockCount
  }
  /** Посчитать заново. */
  'POST /counts/{id}/recount': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    body: RecountDraft
    answer: StockCount
  }
  /** Решить по строке. */
  'POST /counts/{id}/lines/{barcode}/accept': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
      /** Штрихкод товара. */
      barcode: string
    }
    body: LineDecisionDraft
    answer: StockCount
  }
  /** Посчитать единицы. */
  'POST /counts/{id}/scans': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
    }
    body: CountScanDraft
    answer: CountScan | ScanException
  }
  /** Отменить скан пересчёта. */
  'POST /counts/{id}/scans/{scan_id}/undo': {
    path: {
      /** Идентификатор пересчёта. */
      id: string
      /** Номер скана. */
      scan_id: string
    }
    answer: CountScan
  }
}
