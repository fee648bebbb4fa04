import type { Webhook } from '../../exchange/webhooks/view.ts'
import { type KeyRequest, keyRequestStatusLabels } from '../../identity/keys/key-requests.ts'
import type { SellerInvitation } from '../../identity/sellers/invitations.ts'
import type { SellerMember } from '../../identity/sellers/members.ts'
import { sellerRoleLabels } from '../../identity/sellers/roles.ts'
import { dottedDate } from '../../platform/kernel/moscow-time.ts'
import type { Charge } from '../../warehouse/billing/charges.ts'
import type { ClientPeriod } from '../../warehouse/billing/periods.ts'
import { type FileOf, fileColumn } from './table-answer.ts'

/** People, programs and money of a client as files, for managers and for sellers. */

const { text, code, number, moment, money } = fileColumn

export const memberFile: FileOf<SellerMember> = {
  columns: [
    ...[text('Имя'), text('Логин'), text('Роль'), text('Вход с кодом')],
    ...[moment('Доступ с'), moment('Был')],
  ],
  cells: (member) => [
    ...[member.name, member.login, sellerRoleLabels[member.role]],
    ...[member.two_factor ? 'да' : 'нет', member.created_at, member.last_used_at],
  ],
}

const invitationWords: Readonly<Record<SellerInvitation['status'], string>> = {
  WAITING: 'ждёт',
  USED: 'принято',
  REVOKED: 'отозвано',
  EXPIRED: 'срок прошёл',
}

export const invitationFile: FileOf<SellerInvitation> = {
  columns: [
    ...[text('Кому'), text('Роль'), text('Состояние'), text('Кто принял')],
    ...[moment('Сделано'), moment('Действует до'), moment('Принято')],
  ],
  cells: ({ note, role, status, login, created_at, expires_at, used_at }) => [
    ...[note, sellerRoleLabels[role], invitationWords[status], login],
    ...[created_at, expires_at, used_at],
  ],
}

export const keyRequestFile: FileOf<KeyRequest> = {
  columns: [
    ...[text('Ключ'), text('Зачем'), text('Будет подавать заявки'), text('Просит')],
    ...[text('Состояние'), text('Почему отказано'), moment('Подана'), moment('Решена')],
  ],
  cells: (asked) => [
    ...[asked.name, asked.purpose, asked.receipts_enabled ? 'да' : 'нет', asked.asked_by],
    ...[keyRequestStatusLabels[asked.status], asked.reason, asked.created_at, asked.decided_at],
  ],
}

export const webhookFile: FileOf<Webhook> = {
  columns: [
    ...[text('Адрес'), text('Состояние'), text('Почему отключён'), text('События')],
    ...[moment('Создан'), moment('Последняя доставка'), number('Ответ'), number('Неудач подряд')],
  ],
  cells: (webhook) => [
    ...[webhook.url, stateOf(webhook), webhook.disabled_reason ?? null, webhook.events.join(', ')],
    ...[webhook.created_at, webhook.last_delivery_at, webhook.last_status_code ?? null],
    webhook.failures_in_row,
  ],
}

function stateOf({ active, failures_in_row: failures }: Webhook): string {
  if (!active) return 'отключён'
  return failures > 0 ? 'не отвечает' : 'работает'
}

export const periodFile: FileOf<ClientPeriod> = {
  columns: [
    ...[code('Месяц'), text('Состояние'), moment('Посчитан'), moment('Закрыт')],
    money('Начислено, руб.'),
  ],
  cells: ({ period, closed_at, computed_at, amount }) => [
    ...[period.slice(0, 7), closed_at === null ? 'открыт' : 'закрыт'],
    ...[computed_at, closed_at, Number(amount)],
  ],
}

const sourceWords: Readonly<Record<Charge['source']['kind'], string>> = {
  receipt: 'приёмка',
  order: 'заказ',
  shipment: 'отгрузка',
  return: 'приём возвратов',
  count: 'пересчёт',
  product: 'товар',
  storage: 'хранение за день',
  manual: 'начислено вручную',
  month: 'месяц целиком',
}

export const chargeFile: FileOf<Charge> = {
  columns: [
    ...[code('День'), code('Код услуги'), text('Услуга'), text('Единица'), text('За что')],
    ...[code('Номер'), text('Комментарий'), number('Количество')],
    ...[money('Цена, руб.'), money('Сумма, руб.')],
  ],
  cells: ({ source, ...charge }) => [
    ...[dottedDate(charge.day), charge.service, charge.service_name, charge.unit],
    ...[sourceWords[source.kind], source.number, source.comment],
    ...[Number(charge.quantity), Number(charge.price), Number(charge.amount)],
  ],
}
