import { quoted } from '../../platform/kernel/quoted.ts'
import type { NewsKind } from '../../warehouse/events/news-kinds.ts'

/** What each kind of news says, where it leads, and when it goes to users who did not choose. Pure. */

export type NoticeSideName = 'seller' | 'staff'

export const channelNames = ['email', 'telegram'] as const
export type ChannelName = (typeof channelNames)[number]

/** `now`: within minutes; `digest`: once a day with all the rest; `off`: not at all. */
export const paces = ['now', 'digest', 'off'] as const
export type Pace = (typeof paces)[number]

/** Of one kind and user. */
export interface NoticeFacts {
  readonly units: number
  readonly subject: string
  /** Null where it is about several objects. */
  readonly objectId: string | null
}

export interface KindOfNotice {
  readonly side: NoticeSideName
  /** In the settings. */
  readonly label: string
  readonly pace: Pace
  /** Other users of the client may not act on it. */
  readonly ownersAlone?: true
  readonly title: (facts: NoticeFacts) => string
  /** The page that shows the objects, and the one of one object. */
  readonly list: string
  readonly object?: (id: string) => string
}

const account = '/account'
const console = '/staff/app'
const receipt = (id: string) => `${account}/receipts/${id}`
const webhook = (id: string) => `${account}/webhooks/${id}`

/** One thing by its name, several by their number. */
const counted = (one: (subject: string) => string, several: string) => (facts: NoticeFacts) =>
  facts.units === 1 ? one(facts.subject) : `${several}: ${facts.units}`

/** Orders of one deadline, or of several. */
const ofDeadline = (one: string, several: string) => (facts: NoticeFacts) => {
  const deadline = facts.objectId === null ? several : `Срок ${facts.subject} ${one}`
  return `${deadline}, не отгружено заказов: ${facts.units}`
}

export const noticeKinds: Readonly<Record<NewsKind, KindOfNotice>> = {
  receipt_discrepancy: {
    side: 'seller',
    label: 'Приёмка закончена с расхождением',
    pace: 'now',
    title: counted((name) => `Приёмка ${name} принята с расхождением`, 'Приёмки с расхождением'),
    list: `${account}/receipts?status=RECEIVED_WITH_DISCREPANCY`,
    object: receipt,
  },
  receipt_completed: {
    side: 'seller',
    label: 'Приёмка закончена',
    pace: 'digest',
    title: counted((name) => `Приёмка ${name} принята`, 'Приняты приёмки'),
    list: `${account}/receipts`,
    object: receipt,
  },
  deadline_missed: {
    side: 'seller',
    label: 'Срок отгрузки прошёл',
    pace: 'now',
    title: ofDeadline('прошёл', 'Сроки прошли'),
    list: `${account}/orders`,
  },
  deadline_near: {
    side: 'seller',
    label: 'Срок отгрузки близко',
    pace: 'off',
    title: ofDeadline('близко', 'Сроки близко'),
    list: `${account}/orders`,
  },
  return_damaged: {
    side: 'seller',
    label: 'Вернулся повреждённый товар',
    pace: 'digest',
    title: counted(
      (name) => `Товар ${quoted(name)} вернулся повреждённым`,
      'Вернулось повреждённых единиц',
    ),
    list: `${account}/returns`,
    object: (id) => `${account}/returns/${id}`,
  },
  cover_low: {
    side: 'seller',
    label: 'Товар скоро закончится',
    pace: 'digest',
    title: counted((name) => `Товар ${quoted(name)} скоро закончится`, 'Скоро закончится товаров'),
    list: `${account}/cover?state=low`,
    object: (barcode) => `${account}/stock/${encodeURIComponent(barcode)}`,
  },
  goods_expire: {
    side: 'seller',
    label: 'Истекает срок годности',
    pace: 'digest',
    title: counted((name) => `Истекает срок годности: ${name}`, 'Истекает срок годности, партий'),
    list: `${account}/lots?state=expiring`,
    object: (barcode) => `${account}/lots?barcode=${encodeURIComponent(barcode)}`,
  },
  key_refused: {
    side: 'seller',
    label: 'Маркетплейс не принимает ключ',
    pace: 'now',
    title: counted((name) => `${name} не принимает ключ кабинета`, 'Ключи не приняты, кабинетов'),
    list: account,
  },
  key_ends: {
    side: 'seller',
    label: 'Ключ маркетплейса истекает',
    pace: 'now',
    title: counted((name) => `Ключ кабинета истекает: ${name}`, 'Ключи истекают, кабинетов'),
    list: account,
  },
  sync_stands: {
    side: 'seller',
    label: 'Данные маркетплейса не обновляются',
    pace: 'now',
    title: counted((name) => `Данные ${name} не обновляются`, 'Данные не обновляются, кабинетов'),
    list: account,
  },
  webhook_failing: {
    side: 'seller',
    label: 'Вебхук не принимает события',
    pace: 'digest',
    title: counted((host) => `Вебхук на ${host} не принимает события`, 'Вебхуки со сбоями'),
    list: `${account}/webhooks`,
    object: webhook,
  },
  webhook_disabled: {
    side: 'seller',
    label: 'Вебхук отключён',
    pace: 'now',
    title: counted((host) => `Вебхук на ${host} отключён`, 'Отключены вебхуки'),
    list: `${account}/webhooks`,
    object: webhook,
  },
  key_decided: {
    side: 'seller',
    label: 'Склад решил, выпускать ли ключ',
    pace: 'now',
    ownersAlone: true,
    title: counted(() => 'Склад решил, выпускать ли ключ', 'Склад решил, выпускать ли ключи'),
    list: `${account}/keys`,
  },
  act_issued: {
    side: 'seller',
    label: 'Склад выставил акт',
    pace: 'now',
    ownersAlone: true,
    title: counted((month) => `Склад выставил акт за ${month}`, 'Выставлено актов'),
    list: `${account}/money`,
    object: (month) => `${account}/money?month=${month}`,
  },
  receipt_to_confirm: {
    side: 'staff',
    label: 'Приёмка ждёт подтверждения',
    pace: 'now',
    title: counted((name) => `Приёмка ${name} ждёт подтверждения`, 'Ждут подтверждения приёмки'),
    list: `${console}/receipts`,
    object: (id) => `${console}/receipts/${id}`,
  },
  miss: {
    side: 'staff',
    label: 'Не нашли товар',
    pace: 'now',
    title: counted((name) => `Не нашли товар для заказа ${name}`, 'Не нашли товаров для заказов'),
    list: `${console}/misses`,
  },
  mark_refused: {
    side: 'staff',
    label: 'Маркетплейс отказал в коде маркировки',
    pace: 'now',
    title: counted(
      (name) => `Маркетплейс отказал в коде: заказ ${name}`,
      'Маркетплейс отказал в кодах',
    ),
    list: `${console}/orders`,
    object: (id) => `${console}/orders/${id}`,
  },
  scan_exception: {
    side: 'staff',
    label: 'Скан не принят и ждёт решения',
    pace: 'now',
    title: counted(() => 'Скан из очереди терминала не принят', 'Сканы не приняты'),
    list: `${console}/exceptions`,
  },
  key_asked: {
    side: 'staff',
    label: 'Клиент просит ключ',
    pace: 'now',
    title: counted(() => 'Клиент просит ключ для своей программы', 'Клиенты просят ключи'),
    list: `${console}/clients`,
    object: (id) => `${console}/clients/${id}?tab=keys`,
  },
}

export function kindsOf(side: NoticeSideName): NewsKind[] {
  const kinds = Object.keys(noticeKinds) as NewsKind[]
  return kinds.filter((kind) => noticeKinds[kind].side === side)
}

export function pathOfNotice(kind: NewsKind, { objectId }: Pick<NoticeFacts, 'objectId'>): string {
  const { list, object } = noticeKinds[kind]
  return objectId === null || object === undefined ? list : object(objectId)
}

/**
 * How a client is called outside of the service: the name of a sole trader is that of a person, so only its initials go
 * out.
 */
export function clientOutside(name: string): string {
  const [form, rest] = /^(ип|индивидуальный предприниматель|самозанят\S*)\s+(.*)$/isu
    .exec(name.trim())
    ?.slice(1) ?? ['', '']
  if (form === '' || rest === undefined) return name
  const initials = rest.match(/\p{L}+/gu)?.map((word) => `${word[0]?.toUpperCase()}.`) ?? []
  return `ИП ${initials.slice(0, 3).join(' ')}`.trim()
}
