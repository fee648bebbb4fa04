import Type, { type Static } from 'typebox'
import { oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import type { NewsKind } from '../../warehouse/events/news-kinds.ts'
import { lowDaysMax, usualLowDays } from '../../warehouse/metrics/cover.ts'
import { kindField } from './bell.ts'
import { type ChannelName, kindsOf, type NoticeSideName, noticeKinds, paces } from './kinds.ts'
import { choiceOf, lowDaysOf, type PersonRow, usualDigestHour } from './people.ts'

const pace = (channel: string) =>
  oneOfValues(paces, `${channel}: now — сразу, digest — в сводке раз в сутки, off — не присылать.`)

const choiceFields = {
  kind: kindField,
  bell: Type.Boolean({ description: 'Показывать ли на странице уведомлений.' }),
  email: pace('По почте'),
  telegram: pace('В Telegram'),
}
const hourField = (description: string) => Type.Integer({ minimum: 0, maximum: 23, description })
const hourOrNull = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0, maximum: 23 }), Type.Null()], { description })
const hourFields = {
  digest_hour: hourField('В каком часу по Москве присылать сводку.'),
  quiet_from: hourOrNull('С какого часа по Москве не беспокоить; null — беспокоить всегда.'),
  quiet_to: hourOrNull('До какого часа; null вместе с quiet_from.'),
}

const lowDays = Type.Integer({
  minimum: 1,
  maximum: lowDaysMax,
  description: `Товар скоро закончится, когда его хватит меньше чем на столько дней; обычно ${usualLowDays}. У продавцов.`,
})

export const NoticeSettings = Type.Object(
  {
    kinds: Type.Array(
      Type.Object({
        ...choiceFields,
        label: Type.String({ description: 'О чём, словами.' }),
      }),
      { description: 'Что и куда присылать.' },
    ),
    ...hourFields,
    low_days: Type.Optional(lowDays),
    email: textOrNull('Куда приходят письма; null — никуда.'),
    email_waits: textOrNull('Адрес, который ждёт кода из письма; null — никакой.'),
    email_problem: textOrNull('Почему последнее письмо не дошло; null — дошло или писем не было.'),
    telegram: oneOfValues(
      ['none', 'linked', 'blocked'],
      'none — не подключён, linked — подключён, blocked — подключён, но бот остановлен в Telegram.',
    ),
    channels: Type.Object(
      {
        email: Type.Boolean({ description: 'Отправляет ли склад письма.' }),
        telegram: Type.Boolean({ description: 'Есть ли у склада бот.' }),
      },
      { description: 'Что настроено на складе. Если ничего, уведомления видны только здесь.' },
    ),
  },
  { $id: 'NoticeSettings', description: 'Какие уведомления, куда и когда приходят пользователю.' },
)
export type NoticeSettings = Static<typeof NoticeSettings>

export const NoticeSettingsDraft = Type.Object(
  {
    kinds: Type.Array(Type.Object(choiceFields, { additionalProperties: false }), {
      maxItems: 50,
      description: 'Что и куда присылать; остальные виды — как обычно.',
    }),
    ...hourFields,
    low_days: Type.Optional(lowDays),
  },
  { $id: 'NoticeSettingsDraft', additionalProperties: false, description: 'Ваш выбор.' },
)
export type NoticeSettingsDraft = Static<typeof NoticeSettingsDraft>

export function settingsView(
  side: NoticeSideName,
  person: PersonRow,
  { open, owns }: { readonly open: readonly ChannelName[]; readonly owns: boolean },
): NoticeSettings {
  const { digest_hour, quiet_from, quiet_to, email, email_asked, email_problem } = person
  return {
    kinds: kindsFor(side, owns).map((kind) => ({
      kind,
      label: noticeKinds[kind].label,
      ...choiceOf(person, kind),
    })),
    digest_hour: digest_hour ?? usualDigestHour,
    quiet_from,
    quiet_to,
    ...(side === 'seller' && { low_days: lowDaysOf(person) }),
    email,
    email_waits: email_asked,
    email_problem,
    telegram: telegramOf(person),
    channels: { email: open.includes('email'), telegram: open.includes('telegram') },
  }
}

/** What may reach the user. */
function kindsFor(side: NoticeSideName, owns: boolean): NewsKind[] {
  return kindsOf(side).filter((kind) => owns || noticeKinds[kind].ownersAlone !== true)
}

function telegramOf({ telegram_chat, telegram_blocked }: PersonRow): NoticeSettings['telegram'] {
  if (telegram_chat === null) return 'none'
  return telegram_blocked === true ? 'blocked' : 'linked'
}

/** The choices of a draft, without kinds that the side does not have. */
export function choicesOf(side: NoticeSideName, { kinds }: NoticeSettingsDraft) {
  const own: readonly NewsKind[] = kindsOf(side)
  return Object.fromEntries(
    kinds
      .filter(({ kind }) => own.includes(kind))
      .map(({ kind, bell, email, telegram }) => [kind, { bell, email, telegram }]),
  )
}
