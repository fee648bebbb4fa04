// Made from openapi/account.json by "npm run openapi".

import type {
  Cabinet,
  Webhook,
  Receipt,
  GoodsItem,
  StockItem,
  StockItemPage,
  UnitsInQuestionList,
  PastStockPage,
  GoodsLotPage,
  Order,
  OrderPage,
  OrderDetails,
  ReceiptDraft,
  ReceiptPage,
  Shipment,
  ShipmentPage,
  Return,
  ReturnPage,
  Metrics,
  ChargePage,
  ChargeSummary,
  Act,
  ActPage,
  WebhookList,
  WebhookDraft,
  CreatedWebhook,
  QueuedPing,
  Delivery,
  DeliveryPage,
  AttemptList,
  QueuedResend,
  ResendDraft,
  QueuedResends,
  EventFeedPage,
  SandboxMessage,
  SandboxTrigger,
  SandboxAdvance,
  SandboxAdvanced,
  SandboxReceiverDraft,
  CreatedSandboxReceiver,
  SandboxReceiver,
  ListStockQuery,
  ListStockHistoryQuery,
  ListLotsQuery,
  ListOrdersQuery,
  ListReceiptsQuery,
  ListShipmentsQuery,
  ListReturnsQuery,
  GetMetricsQuery,
  ListChargesQuery,
  SumChargesQuery,
  ListActsQuery,
  GetActFileQuery,
  ListEventsQuery,
  ListDeliveriesQuery,
} from '../../sdk/typescript/src/api.ts'

export type {
  Cabinet,
  ReceiptItem,
  Webhook,
  Receipt,
  MarketplaceStock,
  UnitsInQuestion,
  PastStockItem,
  GoodsLot,
  GoodsItem,
  StockItem,
  StockItemPage,
  UnitsInQuestionList,
  PastStockPage,
  GoodsLotPage,
  Order,
  OrderPage,
  OrderDetails,
  ReceiptDraft,
  ReceiptPage,
  Shipment,
  ShipmentPage,
  Return,
  ReturnPage,
  ReasonCount,
  Metrics,
  ChargeSource,
  Charge,
  ChargedService,
  ChargedDay,
  ChargePage,
  ChargeSummary,
  Act,
  ActPage,
  Event,
  LoggedAttempt,
  WebhookList,
  WebhookDraft,
  CreatedWebhook,
  QueuedPing,
  Delivery,
  DeliveryPage,
  AttemptList,
  QueuedResend,
  ResendDraft,
  QueuedResends,
  EventFeedPage,
  SandboxMessage,
  SandboxTrigger,
  SandboxAdvance,
  SandboxAdvanced,
  SandboxReceiverDraft,
  CreatedSandboxReceiver,
  SandboxReceiver,
  ReceiptCreatedEvent,
  ReceiptConfirmedEvent,
  ReceiptStatusChangedEvent,
  ReceiptCompletedEvent,
  ShipmentStatusChangedEvent,
  OrderStatusChangedEvent,
  WebhookPingEvent,
} from '../../sdk/typescript/src/api.ts'

/** Ошибка. */
export interface ApiError {
  error: {
    /** Код ошибки: по нему строят логику, он не меняется. */
    code: 'unauthorized' | 'key_revoked' | 'rate_limited' | 'not_found' | 'bad_request' | 'bad_cursor' | 'internal' | 'validation_error' | 'cabinet_required' | 'mixed_marking' | 'write_disabled' | 'warehouse_unavailable' | 'webhook_url_unverified' | 'webhook_limit' | 'webhooks_unavailable' | 'sandbox_only' | 'forbidden' | 'conflict' | 'unavailable'
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

/** Открытый вход в личный кабинет. */
export interface SellerSession {
  /** Идентификатор входа. */
  id: string
  /** true — вход, из которого этот запрос. */
  is_current: boolean
  /** Адрес, с которого вошли. */
  address: string
  /** Браузер, как он себя называет. */
  browser: string
  /** Когда вошли. */
  created_at: string
  /** Когда пользовались, с точностью до минуты. */
  used_at: string
}

/** Кабинет, который ждёт продавца. */
export interface CabinetInNeed {
  /** Кабинет. */
  id: string
  /** Его название. */
  name: string
  /** Маркетплейс. */
  marketplace: 'WB' | 'OZON'
  /** `credentials_refused` — маркетплейс не принимает ключ, `credentials_expiring` — ключ истекает раньше чем через 21 дней, `sync_error` — данные не обновляются, `warehouses_not_chosen` — новые заказы не загружаются: склад не выбрал, с каких складов продавца он их отправляет, `data_missing` — часть данных маркетплейс не даёт, `credentials_personal` — токен WB Персональный, а складу нужен Базовый. */
  problems: Array<'credentials_refused' | 'credentials_expiring' | 'sync_error' | 'warehouses_not_chosen' | 'data_missing' | 'credentials_personal'>
  /** Почему данные не обновляются; иначе поля нет. */
  sync_error?: string | undefined
  /** Чего маркетплейс не даёт. */
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
  /** За какое время данные; null — их ещё не было. */
  synced_at: string | null
  /** До какого времени действует ключ; если неизвестно, поля нет. */
  credentials_expire_at?: string | undefined
}

/** Кто вошёл и чьи данные показаны. */
export interface AccountSession {
  /** user — вошёл пользователь, test_key — песочница по тестовому ключу. */
  kind: 'user' | 'test_key'
  /** Пользователь; null для тестового ключа. */
  user_id: string | null
  /** Логин; null для тестового ключа. */
  login: string | null
  /** Имя и фамилия, а без них логин; null для тестового ключа. */
  name: string | null
  /** Входит ли он с одноразовым кодом. */
  two_factor: boolean
  /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
  role: 'viewer' | 'receipts' | 'owner'
  /** Можно ли заявлять поставки здесь. */
  receipts_enabled: boolean
  /** Товар скоро закончится, когда его хватит меньше чем на столько дней. */
  low_days: number
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
  /** Все клиенты пользователя, между которыми он переключается. */
  clients: Array<{
    /** Идентификатор клиента. */
    id: string
    /** Название. */
    name: string
    /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
    role: 'viewer' | 'receipts' | 'owner'
  }>
}

/** Логин, пароль и код. */
export interface AccountSignIn {
  /** Логин. */
  login: string
  /** Пароль. */
  password: string
  /** Код из приложения или запасной код, если вход с кодами. */
  code?: string | undefined
}

/** Пароль верный, нужен одноразовый код. */
export interface AccountCodeNeeded {
  /** Что сделать. */
  message: string
}

/** Тестовый ключ. */
export interface AccountKeySignIn {
  /** Тестовый ключ `svc_test_…`. */
  key: string
}

/** Чьи данные показать. */
export interface AccountClientChoice {
  /** Клиент из списка `clients`. */
  client_id: string
}

/** Открытые входы. */
export interface AccountSessionList {
  /** Последние по времени — первыми. */
  items: Array<SellerSession>
}

/** Новое имя. */
export interface AccountNameChange {
  /** Имя и фамилия, до 100 знаков; пустое — вместо имени снова логин. */
  name: string
}

/** Новый пароль. */
export interface AccountPasswordChange {
  /** Ваш пароль ещё раз. */
  password: string
  /** Новый пароль; не хранится, хранится его хеш. */
  new_password: string
}

/** Подтверждение. */
export interface AccountConfirmation {
  /** Ваш пароль ещё раз. */
  password: string
}

/** Секрет; начнёт действовать после первого кода. */
export interface OfferedOneTimeCodes {
  /** Секрет для ввода в приложение. Показан один раз. */
  secret: string
  /** Он же адресом `otpauth://` для QR-кода. */
  uri: string
  /** Этот адрес QR-кодом: картинка SVG. */
  qr: string
}

/** Код из приложения. */
export interface AccountCode {
  /** Код из приложения. */
  code: string
}

/** Запасные коды. */
export interface RecoveryCodes {
  /** Запасные коды на случай потери телефона: каждый один раз. Показаны один раз. */
  recovery_codes: Array<string>
}

/** Подтверждение с кодом. */
export interface AccountCodesOff {
  /** Ваш пароль ещё раз. */
  password: string
  /** Код из приложения. */
  code: string
}

/** Ссылка приглашения. */
export interface InvitationToken {
  /** Секрет из ссылки: всё, что после `#`. */
  token: string
}

/** Куда ведёт ссылка. */
export interface InvitedTo {
  /** К данным какого клиента зовут. */
  client_name: string
  /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
  role: 'viewer' | 'receipts' | 'owner'
  /** До какого времени действует ссылка. */
  expires_at: string
}

/** Кто принимает. */
export interface InvitationAcceptance {
  /** Секрет из ссылки: всё, что после `#`. */
  token: string
  /** Логин; если он уже есть у вас — он же. */
  login: string
  /** Имя и фамилия нового пользователя. */
  name?: string | undefined
  /** Пароль: новый, а если логин уже ваш — его пароль. */
  password: string
}

/** Приглашение принято. */
export interface AcceptedInvitation {
  /** Логин, с которым теперь входят. */
  login: string
  /** К данным какого клиента. */
  client_name: string
  /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
  role: 'viewer' | 'receipts' | 'owner'
}

/** Ссылка. */
export interface PasswordLinkToken {
  /** Секрет из ссылки: всё, что после `#`. */
  token: string
}

/** Чей пароль задаёт ссылка. */
export interface PasswordLinkFor {
  /** Чей пароль. */
  login: string
  /** У какого клиента сделана ссылка. */
  client_name: string
  /** Выключит ли она вход с одноразовым кодом. */
  drops_codes: boolean
  /** До какого времени действует. */
  expires_at: string
}

/** Новый пароль. */
export interface PasswordByLink {
  /** Секрет из ссылки: всё, что после `#`. */
  token: string
  /** Новый пароль; не хранится, хранится его хеш. */
  password: string
}

/** Что ждёт продавца. */
export interface Attention {
  /** Кабинеты, чьи ключи, данные или склады ждут продавца, сначала с непринятым ключом. */
  cabinets: Array<CabinetInNeed>
  /** Отключённые вебхуки. */
  webhooks: Array<Webhook>
  /** Приёмки с расхождением. */
  receipts: {
    /** С какого времени: за 30 дней. */
    since: string
    /** Сколько приёмок закончились с расхождением. */
    total: number
    /** Последние из них, не больше 5, без строк. */
    items: Array<Receipt>
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
  /** Товары под вопросом. */
  in_question: {
    /** Сколько товаров. */
    goods: number
    /** Сколько единиц. */
    units: number
  }
  /** У скольких товаров срок годности истёк или скоро истечёт. */
  expiring: number
  /** Скольких товаров маркетплейс показывает больше, чем доступно. */
  shows_more: number
  /** Сколько выпущенных ключей ждёт, что владелец посмотрит их значение. */
  keys_to_see: number
}

/** Пользователь клиента. */
export interface SellerMember {
  /** Идентификатор пользователя. */
  user_id: string
  /** Логин, строчными буквами. */
  login: string
  /** Имя и фамилия; у кого их нет — логин. */
  name: string
  /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
  role: 'viewer' | 'receipts' | 'owner'
  /** Входит ли он с одноразовым кодом. */
  two_factor: boolean
  /** Когда получил доступ к этому клиенту. */
  created_at: string
  /** Когда пользовался личным кабинетом этого клиента; null — давно или никогда. */
  last_used_at: string | null
}

/** Пользователи клиента. */
export interface SellerMemberList {
  /** По логину. */
  items: Array<SellerMember>
}

/** Новая роль. */
export interface AccountUserPatch {
  /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
  role: 'viewer' | 'receipts' | 'owner'
  /** Ваш пароль ещё раз. */
  password: string
}

/** Приглашение в личный кабинет. */
export interface SellerInvitation {
  /** Идентификатор приглашения. */
  id: string
  /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
  role: 'viewer' | 'receipts' | 'owner'
  /** Для кого оно. */
  note: string
  /** WAITING — ждёт, USED — принято, REVOKED — отозвано, EXPIRED — срок прошёл. */
  status: 'WAITING' | 'USED' | 'REVOKED' | 'EXPIRED'
  /** Кто его принял; null, если никто. */
  login: string | null
  /** Когда сделано. */
  created_at: string
  /** До какого времени действует. */
  expires_at: string
  /** Когда принято; null, если нет. */
  used_at: string | null
}

/** Приглашения клиента. */
export interface SellerInvitationList {
  /** Новые первыми, не больше 200. */
  items: Array<SellerInvitation>
}

/** Новое приглашение. */
export interface AccountInvitationDraft {
  /** Роль: viewer — просмотр, receipts — заявки на приёмку, owner — владелец; каждая следующая может всё, что предыдущие. */
  role: 'viewer' | 'receipts' | 'owner'
  /** Для кого: имя или адрес. */
  note: string
  /** Ваш пароль ещё раз. */
  password: string
}

/** Приглашение и его ссылка. */
export interface CreatedInvitation {
  invitation: SellerInvitation
  /** Ссылка для приглашённого: один раз, 7 дней. Показана один раз. */
  link: string
}

/** Для чего ссылка. */
export interface AccountPasswordLinkDraft {
  /** true — по ссылке вход станет без одноразового кода: если потерян телефон. false — коды останутся. */
  drops_codes: boolean
  /** Ваш пароль ещё раз. */
  password: string
}

/** Ссылка для нового пароля. */
export interface PasswordLink {
  /** Ссылка для пользователя: один раз. Показана один раз. */
  link: string
  /** До какого времени действует. */
  expires_at: string
}

/** Уведомление. */
export interface Notice {
  /** Уведомление. */
  id: string
  /** О чём: receipt_discrepancy — приёмка закончена с расхождением, receipt_completed — приёмка закончена, deadline_missed — срок отгрузки прошёл, deadline_near — срок отгрузки близко, return_damaged — вернулся повреждённый товар, cover_low — товар скоро закончится, goods_expire — истекает срок годности, key_refused — маркетплейс не принимает ключ, key_ends — ключ маркетплейса истекает, sync_stands — данные маркетплейса не обновляются, webhook_failing — вебхук не принимает события, webhook_disabled — вебхук отключён, key_decided — склад решил, выпускать ли ключ, act_issued — склад выставил акт, receipt_to_confirm — приёмка ждёт подтверждения, miss — не нашли товар, mark_refused — маркетплейс отказал в коде маркировки, scan_exception — скан не принят и ждёт решения, key_asked — клиент просит ключ. */
  kind: 'receipt_discrepancy' | 'receipt_completed' | 'deadline_missed' | 'deadline_near' | 'return_damaged' | 'cover_low' | 'goods_expire' | 'key_refused' | 'key_ends' | 'sync_stands' | 'webhook_failing' | 'webhook_disabled' | 'key_decided' | 'act_issued' | 'receipt_to_confirm' | 'miss' | 'mark_refused' | 'scan_exception' | 'key_asked'
  /** Что случилось. */
  title: string
  /** Страница, на которой это видно. */
  path: string
  /** Чьё это. */
  client_id: string
  /** Название клиента. */
  client_name: string
  /** Когда. */
  at: string
  /** Прочитано ли. */
  read: boolean
}

/** Уведомления. */
export interface Notices {
  /** Сколько не прочитано. */
  unread: number
  /** Сколько не прочитано у других ваших клиентов. */
  elsewhere: number
  /** Сначала новые, не больше 100. */
  items: Array<Notice>
}

/** Сколько уведомлений не прочитано. */
export interface UnreadNotices {
  /** Сколько не прочитано. */
  unread: number
  /** Сколько не прочитано у других ваших клиентов. */
  elsewhere: number
}

/** Что прочитано. */
export interface ReadNotices {
  /** Какие прочитаны; без поля — все. */
  ids?: Array<string> | undefined
}

/** Какие уведомления, куда и когда приходят пользователю. */
export interface NoticeSettings {
  /** Что и куда присылать. */
  kinds: Array<{
    /** О чём: receipt_discrepancy — приёмка закончена с расхождением, receipt_completed — приёмка закончена, deadline_missed — срок отгрузки прошёл, deadline_near — срок отгрузки близко, return_damaged — вернулся повреждённый товар, cover_low — товар скоро закончится, goods_expire — истекает срок годности, key_refused — маркетплейс не принимает ключ, key_ends — ключ маркетплейса истекает, sync_stands — данные маркетплейса не обновляются, webhook_failing — вебхук не принимает события, webhook_disabled — вебхук отключён, key_decided — склад решил, выпускать ли ключ, act_issued — склад выставил акт, receipt_to_confirm — приёмка ждёт подтверждения, miss — не нашли товар, mark_refused — маркетплейс отказал в коде маркировки, scan_exception — скан не принят и ждёт решения, key_asked — клиент просит ключ. */
    kind: 'receipt_discrepancy' | 'receipt_completed' | 'deadline_missed' | 'deadline_near' | 'return_damaged' | 'cover_low' | 'goods_expire' | 'key_refused' | 'key_ends' | 'sync_stands' | 'webhook_failing' | 'webhook_disabled' | 'key_decided' | 'act_issued' | 'receipt_to_confirm' | 'miss' | 'mark_refused' | 'scan_exception' | 'key_asked'
    /** Показывать ли на странице уведомлений. */
    bell: boolean
    /** По почте: now — сразу, digest — в сводке раз в сутки, off — не присылать. */
    email: 'now' | 'digest' | 'off'
    /** В Telegram: now — сразу, digest — в сводке раз в сутки, off — не присылать. */
    telegram: 'now' | 'digest' | 'off'
    /** О чём, словами. */
    label: string
  }>
  /** В каком часу по Москве присылать сводку. */
  digest_hour: number
  /** С какого часа по Москве не беспокоить; null — беспокоить всегда. */
  quiet_from: number | null
  /** До какого часа; null вместе с quiet_from. */
  quiet_to: number | null
  /** Товар скоро закончится, когда его хватит меньше чем на столько дней; обычно 14. У продавцов. */
  low_days?: number | undefined
  /** Куда приходят письма; null — никуда. */
  email: string | null
  /** Адрес, который ждёт кода из письма; null — никакой. */
  email_waits: string | null
  /** Почему последнее письмо не дошло; null — дошло или писем не было. */
  email_problem: string | null
  /** none — не подключён, linked — подключён, blocked — подключён, но бот остановлен в Telegram. */
  telegram: 'none' | 'linked' | 'blocked'
  /** Что настроено на складе. Если ничего, уведомления видны только здесь. */
  channels: {
    /** Отправляет ли склад письма. */
    email: boolean
    /** Есть ли у склада бот. */
    telegram: boolean
  }
}

/** Ваш выбор. */
export interface NoticeSettingsDraft {
  /** Что и куда присылать; остальные виды — как обычно. */
  kinds: Array<{
    /** О чём: receipt_discrepancy — приёмка закончена с расхождением, receipt_completed — приёмка закончена, deadline_missed — срок отгрузки прошёл, deadline_near — срок отгрузки близко, return_damaged — вернулся повреждённый товар, cover_low — товар скоро закончится, goods_expire — истекает срок годности, key_refused — маркетплейс не принимает ключ, key_ends — ключ маркетплейса истекает, sync_stands — данные маркетплейса не обновляются, webhook_failing — вебхук не принимает события, webhook_disabled — вебхук отключён, key_decided — склад решил, выпускать ли ключ, act_issued — склад выставил акт, receipt_to_confirm — приёмка ждёт подтверждения, miss — не нашли товар, mark_refused — маркетплейс отказал в коде маркировки, scan_exception — скан не принят и ждёт решения, key_asked — клиент просит ключ. */
    kind: 'receipt_discrepancy' | 'receipt_completed' | 'deadline_missed' | 'deadline_near' | 'return_damaged' | 'cover_low' | 'goods_expire' | 'key_refused' | 'key_ends' | 'sync_stands' | 'webhook_failing' | 'webhook_disabled' | 'key_decided' | 'act_issued' | 'receipt_to_confirm' | 'miss' | 'mark_refused' | 'scan_exception' | 'key_asked'
    /** Показывать ли на странице уведомлений. */
    bell: boolean
    /** По почте: now — сразу, digest — в сводке раз в сутки, off — не присылать. */
    email: 'now' | 'digest' | 'off'
    /** В Telegram: now — сразу, digest — в сводке раз в сутки, off — не присылать. */
    telegram: 'now' | 'digest' | 'off'
  }>
  /** В каком часу по Москве присылать сводку. */
  digest_hour: number
  /** С какого часа по Москве не беспокоить; null — беспокоить всегда. */
  quiet_from: number | null
  /** До какого часа; null вместе с quiet_from. */
  quiet_to: number | null
  /** Товар скоро закончится, когда его хватит меньше чем на столько дней; обычно 14. У продавцов. */
  low_days?: number | undefined
}

/** Адрес почты. */
export interface NoticeEmail {
  /** Куда присылать письма. На него придёт код. */
  email: string
}

/** Код из письма. */
export interface NoticeEmailCode {
  /** Шесть цифр из письма. */
  code: string
}

/** Ссылка, по которой бот узнает вас. */
export interface TelegramLink {
  /** Ссылка на бота, один раз. Откройте её в Telegram. */
  link: string
  /** До какого времени она действует. */
  until: string
}

/** Запись журнала вызовов. */
export interface CallEntry {
  /** Номер записи. */
  id: number
  /** Когда пришёл запрос. */
  time: string
  /** Метод. */
  method: string
  /** Путь. */
  path: string
  /** Адрес, с которого пришёл запрос. */
  ip: string
  /** Код ответа. */
  status: number
  /** Ключ; null, если он неизвестен. */
  key_id: string | null
  /** Имя ключа. */
  key_name?: string | undefined
  /** Клиент; null, если ключ неизвестен. */
  client_id: string | null
  /** Название клиента. */
  client_name?: string | undefined
  /** Номер запроса. */
  request_id: string
  /** Код ошибки; null, если ошибки не было. */
  error_code: string | null
  /** Сколько шёл ответ, мс; null у вызовов, о которых это не записано. */
  duration_ms: number | null
  /** Номер трассы из заголовка `traceparent` запроса. */
  trace_id: string | null
}

/** Ключ продавца. Хранится только его SHA-256. */
export interface ApiKey {
  /** Идентификатор ключа. */
  id: string
  /** Юридическое лицо. */
  client_id: string
  /** Имя: чья это интеграция. */
  name: string
  /** Первые 8 и последние 4 знака ключа. */
  preview: string
  /** Открыт ли ключу `POST /v1/receipts`. */
  receipts_enabled: boolean
  /** Когда выпущен. */
  created_at: string
  /** Последний успешный запрос; null, если его не было. */
  last_used_at: string | null
  /** Когда отозван; null, если действует. */
  revoked_at: string | null
}

/** Страница ключей. */
export interface AccountKeyPage {
  /** Страница списка. */
  items: Array<ApiKey>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Заявка на ключ, поданная в личном кабинете. */
export interface KeyRequest {
  /** Идентификатор заявки. */
  id: string
  /** Имя ключа: чья это программа. */
  name: string
  /** Зачем ключ. */
  purpose: string
  /** Нужен ли ключу `POST /v1/receipts`. */
  receipts_enabled: boolean
  /** WAITING — ждёт решения склада; WITHDRAWN — отменена; DECLINED — склад отказал; ISSUED — ключ выпущен, его значение ещё не смотрели; REVEALED — ключ выпущен, его значение показано; REVOKED — ключ отозван, его значения никто не видел */
  status: 'WAITING' | 'WITHDRAWN' | 'DECLINED' | 'ISSUED' | 'REVEALED' | 'REVOKED'
  /** Кто просит: имя или логин. */
  asked_by: string
  /** Когда подана. */
  created_at: string
  /** Когда решена или отменена; null, если ждёт. */
  decided_at: string | null
  /** Почему склад отказал; null, если не отказал. */
  reason: string | null
  /** Выпущенный ключ; null, если его нет. */
  key_id: string | null
  /** До какого времени можно посмотреть значение; null, если ключа нет. */
  reveal_until: string | null
  /** Когда значение показано; null, если не показано. */
  revealed_at: string | null
}

/** Заявки на ключи. */
export interface KeyRequestList {
  /** Новые первыми, не больше 100. */
  items: Array<KeyRequest>
}

/** Новая заявка на ключ. */
export interface KeyRequestDraft {
  /** Имя ключа: чья это программа. */
  name: string
  /** Зачем ключ: его прочитает менеджер склада. */
  purpose: string
  /** Нужен ли ключу `POST /v1/receipts`. */
  receipts_enabled: boolean
}

/** Заявка и значение ключа. */
export interface RevealedKey {
  request: KeyRequest
  /** Сам ключ. Показан один раз. */
  key: string
}

/** Страница журнала вызовов. */
export interface AccountCallPage {
  /** Страница списка. */
  items: Array<CallEntry>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Единицы за период. */
export interface SalesTotal {
  /** Заказано единиц, отменённые тоже: по дню создания заказа. */
  ordered: number
  /** Из заказанных отменено. */
  cancelled: number
  /** Отгружено единиц: по дню закрытия отгрузки. */
  shipped: number
  /** Вернулось единиц. Меньше нуля, когда отменили приём возврата прошлых суток. */
  returned: number
}

/** Продажи товара за период. */
export interface GoodsSales extends SalesTotal {
  /** Штрихкод; null: у карточек маркетплейса ещё нет штрихкода. */
  barcode: string | null
  /** Название; null: такого товара на складе нет. */
  name: string | null
  /** Артикул продавца. */
  article: string | null
}

/** Продажи за период в единицах. */
export interface Sales {
  /** Первые сутки по Москве. */
  from: string
  /** Сутки после последних. */
  to: string
  total: SalesTotal
  /** Все сутки по порядку, пустые тоже. */
  days: Array<{
    /** Сутки по Москве. */
    day: string
    /** Заказано единиц, отменённые тоже: по дню создания заказа. */
    ordered: number
    /** Из заказанных отменено. */
    cancelled: number
    /** Отгружено единиц: по дню закрытия отгрузки. */
    shipped: number
    /** Вернулось единиц. Меньше нуля, когда отменили приём возврата прошлых суток. */
    returned: number
  }>
  /** Сначала с большим числом заказанных. */
  cabinets: Array<{
    /** Кабинет; null: вернулось без заказа и партии кабинета. */
    cabinet_id: string | null
    /** Название кабинета. */
    cabinet_name: string | null
    marketplace: 'WB' | 'OZON' | null
    /** Заказано единиц, отменённые тоже: по дню создания заказа. */
    ordered: number
    /** Из заказанных отменено. */
    cancelled: number
    /** Отгружено единиц: по дню закрытия отгрузки. */
    shipped: number
    /** Вернулось единиц. Меньше нуля, когда отменили приём возврата прошлых суток. */
    returned: number
  }>
}

/** Продажи по товарам. */
export interface GoodsSalesPage {
  /** Страница списка. */
  items: Array<GoodsSales>
  /** Сколько всего подходит под фильтр, на всех страницах; null: товаров много, их не считали — все есть в файле. */
  total: number | null
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Что заказали, принято, отгружено и вернулось за период. */
export interface ClientFlow {
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
    /** Заказано единиц, отменённые тоже. */
    ordered: number
    /** Принято единиц за вычетом отменённых сканов. */
    received: number
    /** Отгружено единиц. */
    shipped: number
    /** Вернулось единиц за вычетом отменённых сканов. */
    returned: number
  }>
}

/** На сколько хватит товара. */
export interface Cover {
  /** Штрихкод. */
  barcode: string
  /** Название. */
  name: string
  /** Артикул продавца. */
  article: string | null
  /** Можно продавать сейчас. */
  available: number
  /** Заказывают в сутки, без отменённых: в среднем за последние 14 суток с остатком. */
  a_day: number
  /** На сколько полных суток хватит; null: не заказывают. */
  days: number | null
  /** out — закончился, low — скоро закончится, enough — хватает, idle — лежит и не заказывают. */
  state: 'out' | 'low' | 'enough' | 'idle'
}

/** Приёмка и что в ней этого товара. */
export interface ReceiptOfGoods {
  /** Идентификатор приёмки. */
  id: string
  /** Номер приёмки на складе. */
  number: string
  /** Состояние приёмки. */
  status: 'PENDING_CONFIRMATION' | 'EXPECTED' | 'RECEIVING' | 'RECEIVED' | 'RECEIVED_WITH_DISCREPANCY'
  /** Состояние по-русски; текст может измениться. */
  status_label: string
  /** Когда создана. */
  created_at: string
  /** Плановая дата; null, если не указана. */
  planned_date: string | null
  /** Заявлено единиц этого товара. */
  expected_qty: number
  /** Принято единиц этого товара. */
  accepted_qty: number
}

/** Движение товара. */
export interface GoodsMovement {
  /** Номер движения: растёт. */
  id: number
  /** Когда. */
  time: string
  /** Штрихкод товара. */
  barcode: string
  /** Название товара. */
  name: string
  /** Вид движения; return — вернулось на склад, question меняет только единицы под вопросом. */
  kind: 'acceptance' | 'shipment' | 'return' | 'correction' | 'write_off' | 'question'
  /** Что произошло, словами; текст может измениться. */
  words: string
  /** Единиц пришло (+) или ушло (−). */
  delta: number
  /** Единиц стало (+) или перестало быть (−) под вопросом. */
  question_delta: number
  /** Причина словами. */
  reason: string | null
  /** На каком основании; null: без документа. */
  document: {
    /** Приёмка, отгрузка или приём возвратов. */
    kind: 'receipt' | 'shipment' | 'return_batch'
    /** Идентификатор. */
    id: string
    /** Номер. */
    title: string
  } | null
}

/** Картинки товаров. */
export interface GoodsPictures {
  /** Товары, у которых есть картинка. */
  items: Array<{
    /** Штрихкод товара. */
    barcode: string
    /** Адрес его картинки. */
    picture: string
  }>
}

/** Названия товаров. */
export interface GoodsNames {
  /** Товары, которые есть у клиента. */
  items: Array<{
    /** Штрихкод товара. */
    barcode: string
    /** Его название. */
    name: string
  }>
}

/** Сколько товаров в каждом состоянии. */
export interface CoverSummary {
  /** Закончились: за эти недели заказывали, а продавать нечего. */
  out: number
  /** Скоро закончатся. */
  low: number
  /** Хватает. */
  enough: number
  /** Лежат, и никто не заказывает. */
  idle: number
}

/** На сколько хватит товаров. */
export interface CoverPage {
  /** Страница списка. */
  items: Array<Cover>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** На сколько хватит товара и сколько его привезти. */
export interface ProductCover {
  /** Штрихкод. */
  barcode: string
  /** Можно продавать сейчас. */
  available: number
  /** Заказывают в сутки, без отменённых: в среднем за последние 14 суток с остатком. */
  a_day: number
  /** На сколько полных суток хватит; null: не заказывают. */
  days: number | null
  /** Сколько привезти, чтобы хватило на 30 дней при нынешнем спросе. */
  bring: number
  /** На сколько дней хватит привезённого вместе с остатком. */
  bring_days: number
}

/** Приёмки одного товара. */
export interface ReceiptsOfGoods {
  /** Новые первыми, не больше 20. */
  items: Array<ReceiptOfGoods>
}

/** Движения; total считается до 100 000. */
export interface GoodsMovementPage {
  /** Страница списка. */
  items: Array<GoodsMovement>
  /** Сколько всего подходит под фильтр, на всех страницах. */
  total: number
  /** Передайте в cursor следующего запроса; null на последней странице. */
  next_cursor: string | null
}

/** Товар для заявки. */
export interface GoodsToBring {
  /** Штрихкод. */
  barcode: string
  /** Название. */
  name: string
  /** Артикул продавца. */
  article: string | null
  /** Подлежит ли обязательной маркировке. */
  honest_mark: boolean
  /** Можно продавать сейчас. */
  available: number
  /** Сколько привезти, чтобы хватило на 30 дней при нынешнем спросе. */
  bring: number
}

/** Фото, которое сделал склад. */
export interface AccountPhoto {
  /** Номер фото, который дал терминал. */
  id: string
  /** Адрес снимка на этом сервисе: JPEG. */
  photo: string
  /** Когда снято, по часам терминала. */
  taken_at: string
  /** Когда принято сервисом. */
  created_at: string
}

/** Что можно сделать с заявкой. */
export interface AccountAnnouncement {
  /** Заявлена в личном кабинете и ещё ждёт подтверждения: её можно изменить и отозвать. */
  changeable: boolean
  /** Кабинет; null, если не указан. */
  cabinet_id: string | null
}

/** Товары для заявки. */
export interface GoodsToBringList {
  /** Не больше 8. */
  items: Array<GoodsToBring>
}

/** Фото объекта. */
export interface AccountPhotos {
  /** Фото, старые первыми. */
  items: Array<AccountPhoto>
}

/** Расчётный период клиента. */
export interface BillingPeriod {
  /** Расчётный период: первый день месяца. */
  period: string
  /** Начислено, рубли. */
  amount: string
  /** По какой момент посчитан; null — ещё не посчитан. */
  computed_at: string | null
  /** Когда закрыт; null — открыт. */
  closed_at: string | null
  /** Его акт. */
  act_id: string | null
}

/** Расчётные периоды клиента. */
export interface BillingPeriods {
  /** Месяцы, последний первым. */
  items: Array<BillingPeriod>
}

/** Прогноз начислений на конец месяца. */
export interface MonthForecast {
  /** Текущий месяц: его первый день. */
  period: string
  /** Начислено к этому моменту, рубли. */
  amount: string
  /** В среднем за прошедший день, рубли; null — ещё ни один день не прошёл. */
  a_day: string | null
  /** К концу месяца при таких же днях, рубли; null — ещё ни один день не прошёл. */
  expected: string | null
}

/** Сколько будет стоить заявленная поставка. */
export interface PlannedCost {
  /** Приёмка заявленных единиц с надбавкой за маркировку, рубли; null — у склада нет её цены. */
  receiving: string | null
  /** Хранение всех единиц за день, рубли; null — цены нет или хранение считают по местам. */
  storage_day: string | null
}

export interface Calls {
  /** Войти. */
  'POST /session': {
    body: AccountSignIn
    answer: AccountSession | AccountCodeNeeded
  }
  /** Выйти. */
  'DELETE /session': {
    answer: undefined
  }
  /** Кто вошёл. */
  'GET /session': {
    query?: {
      /** true — никто не вошёл: ответ 204 без тела вместо 401. Так спрашивает страница входа. Сверх спецификации. */
      optional?: 'true' | undefined
    }
    answer: AccountSession | undefined
  }
  /** Открыть песочницу по тестовому ключу. */
  'POST /session/key': {
    body: AccountKeySignIn
    answer: AccountSession
  }
  /** Показать другого клиента. */
  'PUT /session/client': {
    body: AccountClientChoice
    answer: AccountSession
  }
  /** Открытые входы. */
  'GET /sessions': {
    answer: AccountSessionList
  }
  /** Выйти везде. */
  'DELETE /sessions': {
    answer: undefined
  }
  /** Закончить вход. */
  'DELETE /sessions/{id}': {
    path: {
      /** Идентификатор входа. */
      id: string
    }
    answer: undefined
  }
  /** Изменить своё имя. */
  'PUT /name': {
    body: AccountNameChange
    answer: undefined
  }
  /** Сменить пароль. */
  'PUT /password': {
    body: AccountPasswordChange
    answer: undefined
  }
  /** Получить секрет для одноразовых кодов. */
  'POST /one-time-codes': {
    body: AccountConfirmation
    answer: OfferedOneTimeCodes
  }
  /** Включить одноразовые коды. */
  'POST /one-time-codes/confirm': {
    body: AccountCode
    answer: RecoveryCodes
  }
  /** Выключить одноразовые коды. */
  'POST /one-time-codes/drop': {
    body: AccountCodesOff
    answer: undefined
  }
  /** Куда ведёт приглашение. */
  'POST /invitations/look': {
    body: InvitationToken
    answer: InvitedTo
  }
  /** Принять приглашение. */
  'POST /invitations/accept': {
    body: InvitationAcceptance
    answer: AcceptedInvitation
  }
  /** Пользователи. */
  'GET /users': {
    answer: SellerMemberList
  }
  /** Изменить роль. */
  'PATCH /users/{id}': {
    path: {
      /** Идентификатор пользователя. */
      id: string
    }
    body: AccountUserPatch
    answer: SellerMember
  }
  /** Забрать доступ. */
  'POST /users/{id}/remove': {
    path: {
      /** Идентификатор пользователя. */
      id: string
    }
    body: AccountConfirmation
    answer: undefined
  }
  /** Приглашения. */
  'GET /invitations': {
    answer: SellerInvitationList
  }
  /** Пригласить. */
  'POST /invitations': {
    body: AccountInvitationDraft
    answer: CreatedInvitation
  }
  /** Отозвать приглашение. */
  'POST /invitations/{id}/revoke': {
    path: {
      /** Идентификатор приглашения. */
      id: string
    }
    body: AccountConfirmation
    answer: SellerInvitation
  }
  /** Ссылка для нового пароля. */
  'POST /users/{id}/password-link': {
    path: {
      /** Идентификатор пользователя. */
      id: string
    }
    body: AccountPasswordLinkDraft
    answer: PasswordLink
  }
  /** Чей пароль задаёт ссылка. */
  'POST /password-links/look': {
    body: PasswordLinkToken
    answer: PasswordLinkFor
  }
  /** Задать пароль по ссылке. */
  'POST /password-links/use': {
    body: PasswordByLink
    answer: PasswordLinkFor
  }
  /** Что ждёт вас. */
  'GET /attention': {
    answer: Attention
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
  /** Ключи. */
  'GET /keys': {
    query?: {
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: AccountKeyPage
  }
  /** Отозвать ключ. */
  'POST /keys/{id}/revoke': {
    path: {
      /** Идентификатор ключа. */
      id: string
    }
    body: AccountConfirmation
    answer: ApiKey
  }
  /** Заявки на ключи. */
  'GET /key-requests': {
    answer: KeyRequestList
  }
  /** Попросить ключ. */
  'POST /key-requests': {
    body: KeyRequestDraft
    answer: KeyRequest
  }
  /** Отменить заявку на ключ. */
  'POST /key-requests/{id}/withdraw': {
    path: {
      /** Идентификатор заявки. */
      id: string
    }
    answer: KeyRequest
  }
  /** Посмотреть выпущенный ключ. */
  'POST /key-requests/{id}/reveal': {
    path: {
      /** Идентификатор заявки. */
      id: string
    }
    body: AccountConfirmation
    answer: RevealedKey
  }
  /** Журнал вызовов. */
  'GET /calls': {
    query?: {
      /** Вызовы этого ключа. */
      key_id?: string | undefined
      /** Код ответа. */
      status?: number | undefined
      /** Вызов с этим номером запроса (`X-Request-Id`). */
      request_id?: string | undefined
      /** Не раньше. */
      created_from?: string | undefined
      /** Раньше этого времени. */
      created_to?: string | undefined
      /** Размер страницы. Меньше 1 читается как 100, больше 1000 — как 1000. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: AccountCallPage
  }
  /** Заявить поставку файлом. */
  'POST /receipts/import': {
    query?: {
      /** Кабинет клиента; единственный подставляется сам. */
      cabinet_id?: string | undefined
      /** Номер документа в вашей системе. */
      external_ref?: string | undefined
      /** Плановая дата: YYYY-MM-DD по Москве или RFC 3339. */
      planned_date?: string | undefined
      /** Подлежат ли товары маркировке — для строк, где файл этого не говорит. */
      honest_mark?: 'true' | 'false' | undefined
      /** Комментарий. */
      comment?: string | undefined
    }
    body: Blob | FormData
    answer: Receipt
  }
  /** Шаблон таблицы товаров. */
  'GET /receipts/import/template': {
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Можно ли изменить заявку. */
  'GET /receipts/{id}/announcement': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    answer: AccountAnnouncement
  }
  /** Изменить заявку. */
  'PUT /receipts/{id}': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    body: ReceiptDraft
    answer: Receipt
  }
  /** Одна приёмка. */
  'GET /receipts/{id}': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    answer: Receipt
  }
  /** Отозвать заявку. */
  'POST /receipts/{id}/withdraw': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    answer: Receipt
  }
  /** Этикетки на короба поставки. */
  'GET /receipts/{id}/box-labels': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    query?: {
      /** Сколько коробов. */
      boxes?: number | undefined
    }
    answer: Blob
  }
  /** Найти товар для заявки. */
  'GET /goods': {
    query?: {
      /** Сверх спецификации 1.1. Слова из названия, артикула или штрихкода товара: в любом порядке и регистре, с е вместо ё, в любой раскладке клавиатуры. */
      search?: string | undefined
    }
    answer: GoodsToBringList
  }
  /** Выгрузить остатки. */
  'GET /exports/stock': {
    query?: {
      /** Точный штрихкод. */
      barcode?: string | undefined
      /** Часть названия или артикула, без учёта регистра; е и ё — одно и то же. */
      search?: string | undefined
      /** Сверх спецификации 1.1. Слова из названия, артикула или штрихкода товара: в любом порядке и регистре, с е вместо ё, в любой раскладке клавиатуры. */
      words?: string | undefined
      /** Сверх спецификации 1.1. Только товары с единицами под вопросом (`in_question`) или те, которых маркетплейс показывает больше, чем доступно (`shows_more`): сумма `marketplace_stock` одного маркетплейса больше `available`, а у набора — и с теми, что соберутся из частей (`parts_allow` в `GET /v1/goods`). */
      selection?: 'in_question' | 'shows_more' | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Акт о расхождениях. */
  'GET /receipts/{id}/act': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    query?: {
      /** Формат; без него решает заголовок Accept, иначе pdf. */
      format?: 'pdf' | 'html' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: заказы. */
  'GET /exports/orders': {
    query?: {
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
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: приёмки. */
  'GET /exports/receipts': {
    query?: {
      /** Состояние; без него — все. */
      status?: 'PENDING_CONFIRMATION' | 'EXPECTED' | 'RECEIVING' | 'RECEIVED' | 'RECEIVED_WITH_DISCREPANCY' | undefined
      /** Точный номер документа из вашей заявки. Сверх спецификации 1.1. */
      external_ref?: string | undefined
      /** Созданы не раньше. */
      created_from?: string | undefined
      /** Созданы раньше этого времени. */
      created_to?: string | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: отгрузки. */
  'GET /exports/shipments': {
    query?: {
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
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: возвраты. */
  'GET /exports/returns': {
    query?: {
      /** Состояние; без него — все. */
      status?: 'OPEN' | 'FINISHED' | undefined
      /** Начаты не раньше. */
      created_from?: string | undefined
      /** Начаты раньше этого времени. */
      created_to?: string | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: сроки годности. */
  'GET /exports/lots': {
    query?: {
      /** Точный штрихкод. */
      barcode?: string | undefined
      /** Только партии в этом состоянии; expiring — срок истёк или скоро истечёт. */
      state?: 'expired' | 'soon' | 'good' | 'unknown' | 'expiring' | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: состав приёмки. */
  'GET /exports/receipt-items/{id}': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: состав возврата. */
  'GET /exports/return-items/{id}': {
    path: {
      /** Идентификатор возврата. */
      id: string
    }
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: начисления. */
  'GET /exports/charges': {
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
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: акты. */
  'GET /exports/acts': {
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: расчётные периоды. */
  'GET /exports/billing-periods': {
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: ключи. */
  'GET /exports/keys': {
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: заявки на ключи. */
  'GET /exports/key-requests': {
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: вызовы API. */
  'GET /exports/calls': {
    query?: {
      /** Вызовы этого ключа. */
      key_id?: string | undefined
      /** Код ответа. */
      status?: number | undefined
      /** Вызов с этим номером запроса (`X-Request-Id`). */
      request_id?: string | undefined
      /** Не раньше. */
      created_from?: string | undefined
      /** Раньше этого времени. */
      created_to?: string | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: вебхуки. */
  'GET /exports/webhooks': {
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: доставки. */
  'GET /exports/deliveries/{id}': {
    path: {
      /** Идентификатор подписки. */
      id: string
    }
    query?: {
      /** Состояние доставки. */
      status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: события. */
  'GET /exports/events': {
    query?: {
      /** Типы событий через запятую. */
      types?: string | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: пользователи. */
  'GET /exports/users': {
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Выгрузить: приглашения. */
  'GET /exports/invitations': {
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Картинки товаров. */
  'GET /pictures': {
    query?: {
      /** Штрихкоды через запятую, до 200; остальные не читаются. */
      barcodes?: string | undefined
    }
    answer: GoodsPictures
  }
  /** Одна картинка. */
  'GET /pictures/{hash}': {
    path: {
      /** SHA-256 картинки. */
      hash: string
    }
    answer: Blob
  }
  /** Фото приёмки. */
  'GET /receipts/{id}/photos': {
    path: {
      /** Идентификатор. */
      id: string
    }
    answer: AccountPhotos
  }
  /** Фото возврата. */
  'GET /returns/{id}/photos': {
    path: {
      /** Идентификатор. */
      id: string
    }
    answer: AccountPhotos
  }
  /** Фото заказа. */
  'GET /orders/{id}/photos': {
    path: {
      /** Идентификатор. */
      id: string
    }
    answer: AccountPhotos
  }
  /** Снимок. */
  'GET /photos/{photo}': {
    path: {
      /** Номер фото. */
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
  /** Названия товаров. */
  'GET /names': {
    query?: {
      /** Штрихкоды через запятую, до 200; остальные не читаются. */
      barcodes?: string | undefined
    }
    answer: GoodsNames
  }
  /** Продажи за период. */
  'GET /sales': {
    query?: {
      /** Первые сутки по Москве. */
      from?: string | undefined
      /** Сутки после последних. */
      to?: string | undefined
      /** Только этот кабинет. */
      cabinet_id?: string | undefined
      /** Только этот маркетплейс. */
      marketplace?: 'WB' | 'OZON' | undefined
    }
    answer: Sales
  }
  /** Продажи по товарам. */
  'GET /sales/goods': {
    query?: {
      /** Первые сутки по Москве. */
      from?: string | undefined
      /** Сутки после последних. */
      to?: string | undefined
      /** Только этот кабинет. */
      cabinet_id?: string | undefined
      /** Только этот маркетплейс. */
      marketplace?: 'WB' | 'OZON' | undefined
      /** По какому показателю, сначала наибольший; без него — ordered. */
      by?: 'ordered' | 'cancelled' | 'shipped' | 'returned' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 100 — как 100. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: GoodsSalesPage
  }
  /** Выгрузить продажи по товарам. */
  'GET /exports/sales': {
    query?: {
      /** Первые сутки по Москве. */
      from?: string | undefined
      /** Сутки после последних. */
      to?: string | undefined
      /** Только этот кабинет. */
      cabinet_id?: string | undefined
      /** Только этот маркетплейс. */
      marketplace?: 'WB' | 'OZON' | undefined
      /** По какому показателю, сначала наибольший; без него — ordered. */
      by?: 'ordered' | 'cancelled' | 'shipped' | 'returned' | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Сколько товаров заканчивается. */
  'GET /cover/summary': {
    query?: {
      /** low — товары, которых хватит меньше чем на столько суток. */
      low_days?: number | undefined
    }
    answer: CoverSummary
  }
  /** На сколько хватит товаров. */
  'GET /cover': {
    query?: {
      /** low — товары, которых хватит меньше чем на столько суток. */
      low_days?: number | undefined
      /** Только товары в этом состоянии. */
      state?: 'out' | 'low' | 'enough' | 'idle' | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 100 — как 100. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: CoverPage
  }
  /** Выгрузить, на сколько хватит товаров. */
  'GET /exports/cover': {
    query?: {
      /** low — товары, которых хватит меньше чем на столько суток. */
      low_days?: number | undefined
      /** Только товары в этом состоянии. */
      state?: 'out' | 'low' | 'enough' | 'idle' | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Заказано, принято, отгружено и вернулось по времени. */
  'GET /flow': {
    query?: {
      /** Первые сутки по Москве. */
      from?: string | undefined
      /** Сутки после последних. */
      to?: string | undefined
      /** hour — по часам, не больше 2 суток; day — по суткам, не больше 366. Без него — day. */
      step?: 'hour' | 'day' | undefined
      /** Только этот товар. */
      barcode?: string | undefined
    }
    answer: ClientFlow
  }
  /** На сколько хватит товара. */
  'GET /stock/{barcode}/cover': {
    path: {
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: ProductCover
  }
  /** Приёмки товара. */
  'GET /stock/{barcode}/receipts': {
    path: {
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: ReceiptsOfGoods
  }
  /** Из чего набор. */
  'GET /stock/{barcode}/parts': {
    path: {
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: GoodsItem
  }
  /** Движения товаров. */
  'GET /movements': {
    query?: {
      /** Движения одного товара, точный штрихкод. */
      barcode?: string | undefined
      /** Вид движения; без него — все. */
      kind?: 'acceptance' | 'shipment' | 'return' | 'correction' | 'write_off' | 'question' | undefined
      /** Не раньше. */
      from?: string | undefined
      /** Раньше этого времени. */
      to?: string | undefined
      /** Размер страницы. Меньше 1 читается как 50, больше 200 — как 200. */
      limit?: number | undefined
      /** next_cursor предыдущей страницы. Для первой страницы не передаётся. */
      cursor?: string | undefined
    }
    answer: GoodsMovementPage
  }
  /** Выгрузить движения товаров. */
  'GET /exports/movements': {
    query?: {
      /** Движения одного товара, точный штрихкод. */
      barcode?: string | undefined
      /** Вид движения; без него — все. */
      kind?: 'acceptance' | 'shipment' | 'return' | 'correction' | 'write_off' | 'question' | undefined
      /** Не раньше. */
      from?: string | undefined
      /** Раньше этого времени. */
      to?: string | undefined
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Расчётные периоды. */
  'GET /billing-periods': {
    answer: BillingPeriods
  }
  /** Прогноз на конец месяца. */
  'GET /charges/forecast': {
    answer: MonthForecast
  }
  /** Сколько будет стоить поставка. */
  'GET /receipts/{id}/cost': {
    path: {
      /** Идентификатор приёмки. */
      id: string
    }
    answer: PlannedCost
  }
  /** Детализация акта. */
  'GET /acts/{id}/charges': {
    path: {
      /** Идентификатор акта. */
      id: string
    }
    query?: {
      /** xlsx — книга Excel, так и без него; csv — с «;». */
      format?: 'xlsx' | 'csv' | undefined
    }
    answer: Blob
  }
  /** Остатки на складе. */
  'GET /stock': {
    query?: ListStockQuery
    answer: StockItemPage
  }
  /** Остаток одного товара. */
  'GET /stock/{barcode}': {
    path: {
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: StockItem
  }
  /** Что под вопросом. */
  'GET /stock/{barcode}/in-question': {
    path: {
      /** Штрихкод, закодированный для адреса. */
      barcode: string
    }
    answer: UnitsInQuestionList
  }
  /** Остатки на прошлый момент. */
  'GET /stock-history': {
    query: ListStockHistoryQuery
    answer: PastStockPage
  }
  /** Сроки годности. */
  'GET /lots': {
    query?: ListLotsQuery
    answer: GoodsLotPage
  }
  /** Заказы. */
  'GET /orders': {
    query?: ListOrdersQuery
    answer: OrderPage
  }
  /** Один заказ. */
  'GET /orders/{id}': {
    path: {
      /** Идентификатор заказа в сервисе. */
      id: string
    }
    answer: Order
  }
  /** Состав и история заказа. */
  'GET /orders/{id}/details': {
    path: {
      /** Идентификатор заказа в сервисе. */
      id: string
    }
    answer: OrderDetails
  }
  /** Приёмки. */
  'GET /receipts': {
    query?: ListReceiptsQuery
    answer: ReceiptPage
  }
  /** Заявить поставку. */
  'POST /receipts': {
    body: ReceiptDraft
    answer: Receipt
  }
  /** Отгрузки. */
  'GET /shipments': {
    query?: ListShipmentsQuery
    answer: ShipmentPage
  }
  /** Одна отгрузка. */
  'GET /shipments/{id}': {
    path: {
      /** Идентификатор отгрузки в сервисе. */
      id: string
    }
    answer: Shipment
  }
  /** Принятые возвраты. */
  'GET /returns': {
    query?: ListReturnsQuery
    answer: ReturnPage
  }
  /** Один возврат. */
  'GET /returns/{id}': {
    path: {
      /** Идентификатор возврата. */
      id: string
    }
    answer: Return
  }
  /** Показатели за период. */
  'GET /metrics': {
    query?: GetMetricsQuery
    answer: Metrics
  }
  /** Начисления. */
  'GET /charges': {
    query?: ListChargesQuery
    answer: ChargePage
  }
  /** Сколько начислено. */
  'GET /charges/summary': {
    query?: SumChargesQuery
    answer: ChargeSummary
  }
  /** Акты. */
  'GET /acts': {
    query?: ListActsQuery
    answer: ActPage
  }
  /** Один акт. */
  'GET /acts/{id}': {
    path: {
      /** Идентификатор акта. */
      id: string
    }
    answer: Act
  }
  /** Акт файлом. */
  'GET /acts/{id}/file': {
    path: {
      /** Идентификатор акта. */
      id: string
    }
    query?: GetActFileQuery
    answer: Blob
  }
  /** Лента событий. */
  'GET /events': {
    query?: ListEventsQuery
    answer: EventFeedPage
  }
  /** Вернуть песочницу к началу. */
  'POST /sandbox/reset': {
    answer: SandboxMessage
  }
  /** Сыграть ситуацию. */
  'POST /sandbox/triggers/{name}': {
    path: {
      /** Имя ситуации. */
      name: 'receipt_confirmed' | 'receipt_completed' | 'receipt_with_shortage' | 'order_new' | 'order_cancelled' | 'order_delivered' | 'mark_refused' | 'shipment_handed_over' | 'shipment_accepted' | 'goods_in_question' | 'sync_error' | 'sync_restored' | 'unknown_status' | 'goods_without_barcode' | 'empty_stock'
    }
    answer: SandboxTrigger
  }
  /** Продвинуть время склада. */
  'POST /sandbox/advance': {
    body: SandboxAdvance
    answer: SandboxAdvanced
  }
  /** Создать приёмник. */
  'POST /sandbox/receivers': {
    body: SandboxReceiverDraft
    answer: CreatedSandboxReceiver
  }
  /** Что пришло в приёмник. */
  'GET /sandbox/receivers/{id}': {
    path: {
      /** Идентификатор приёмника. */
      id: string
    }
    answer: SandboxReceiver
  }
  /** Подписаться на события. */
  'POST /webhooks': {
    body: WebhookDraft
    answer: CreatedWebhook
  }
  /** Подписки. */
  'GET /webhooks': {
    answer: WebhookList
  }
  /** Одна подписка. */
  'GET /webhooks/{id}': {
    path: {
      /** Идентификатор подписки. */
      id: string
    }
    answer: Webhook
  }
  /** Удалить подписку. */
  'DELETE /webhooks/{id}': {
    path: {
      /** Идентификатор подписки. */
      id: string
    }
    answer: undefined
  }
  /** Проверить подписку. */
  'POST /webhooks/{id}/ping': {
    path: {
      /** Идентификатор подписки. */
      id: string
    }
    answer: QueuedPing
  }
  /** Журнал доставок. */
  'GET /webhooks/{id}/deliveries': {
    path: {
      /** Идентификатор подписки. */
      id: string
    }
    query?: ListDeliveriesQuery
    answer: DeliveryPage
  }
  /** Одна доставка. */
  'GET /webhooks/{id}/deliveries/{delivery_id}': {
    path: {
      /** Идентификатор подписки. */
      id: string
      /** Идентификатор доставки или попытки. */
      delivery_id: string
    }
    answer: Delivery
  }
  /** Попытки доставки. */
  'GET /webhooks/{id}/deliveries/{delivery_id}/attempts': {
    path: {
      /** Идентификатор подписки. */
      id: string
      /** Идентификатор доставки или попытки. */
      delivery_id: string
    }
    answer: AttemptList
  }
  /** Отправить событие ещё раз. */
  'POST /webhooks/{id}/deliveries/{delivery_id}/resend': {
    path: {
      /** Идентификатор подписки. */
      id: string
      /** Идентификатор доставки или попытки. */
      delivery_id: string
    }
    answer: QueuedResend
  }
  /** Отправить пропущенное. */
  'POST /webhooks/{id}/resend': {
    path: {
      /** Идентификатор подписки. */
      id: string
    }
    body: ResendDraft
    answer: QueuedResends
  }
}
