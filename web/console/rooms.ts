import type { StaffUser, WaitingCounters } from '../api/staff-calls.ts'
import { paths } from './paths.ts'
import { type ScopeName, scopeNames } from './scope/kept.ts'

type Role = StaffUser['role']

export interface Page {
  readonly href: string
  readonly title: string
  /** Other words under which people look for it. */
  readonly words?: string
  /** The least role that may enter. */
  readonly role: Role
  /** By which parts of the frame's scope it filters what it shows. */
  readonly scope?: readonly ScopeName[]
  /** How many things wait on it. */
  readonly waiting?: (counters: WaitingCounters) => number | undefined
  /** Whether it shows money: open to those who may see it. */
  readonly money?: true
}

export interface Room {
  readonly title: string
  /** The line of a picture of 20 by 20. */
  readonly icon: string
  /** Its tabs. The first that somebody may enter opens with the room. */
  readonly pages: readonly Page[]
}

/** The rooms of the console: menu, palette, tabs, titles and who may enter come from here. */
export const rooms: readonly Room[] = [
  {
    title: 'Сегодня',
    icon: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 6v4.2l2.8 1.8',
    pages: [
      { href: paths.today, scope: scopeNames, title: 'Что ждёт сегодня', role: 'worker' },
      {
        href: paths.exceptions,
        scope: scopeNames,
        title: 'Исключения',
        role: 'manager',
        waiting: ({ exceptions }) => exceptions,
      },
      { href: paths.figures, title: 'Склад в цифрах', role: 'manager' },
    ],
  },
  {
    title: 'Приёмка',
    icon: 'M10 2.5v8m-3-3 3 3 3-3M2.5 11.5h4l1.2 2.5h4.6l1.2-2.5h4v5h-15z',
    pages: [
      {
        href: paths.receipts,
        scope: scopeNames,
        title: 'Приёмки',
        words: 'поставки',
        role: 'worker',
        waiting: ({ receipts, receiving }) => receipts ?? receiving,
      },
      {
        href: paths.receiptRequests,
        scope: ['client_id'],
        title: 'Заявки продавцов',
        role: 'manager',
      },
      {
        href: paths.refusedReceipts,
        scope: ['client_id'],
        title: 'Отказы в заявках',
        role: 'manager',
      },
    ],
  },
  {
    title: 'Заказы и отгрузки',
    icon: 'M2.5 4.5h9v9h-9zM11.5 7.5h3.2l2.8 3v3h-6M5.5 16.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4M14.5 16.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4',
    pages: [
      { href: paths.orders, scope: scopeNames, title: 'Заказы', role: 'worker' },
      {
        href: paths.shipments,
        scope: scopeNames,
        title: 'Отгрузки',
        role: 'worker',
        waiting: ({ shipments }) => shipments,
      },
      { href: paths.picking, scope: scopeNames, title: 'Сборка', role: 'worker' },
      {
        href: paths.misses,
        scope: scopeNames,
        title: 'Не нашли',
        words: 'нет товара',
        role: 'manager',
        waiting: ({ misses }) => misses,
      },
    ],
  },
  {
    title: 'Возвраты',
    icon: 'M6.5 3.5 3 7l3.5 3.5M3 7h9.5a4.5 4.5 0 0 1 0 9H7',
    pages: [
      {
        href: paths.returns,
        scope: scopeNames,
        title: 'Возвраты',
        role: 'worker',
        waiting: ({ returns }) => returns,
      },
      { href: paths.expectedReturns, scope: scopeNames, title: 'Что едет обратно', role: 'worker' },
    ],
  },
  {
    title: 'Товары',
    icon: 'M10 2.5 17 6v8l-7 3.5L3 14V6zM3 6l7 3.5L17 6M10 9.5v8',
    pages: [
      { href: paths.stock, scope: ['client_id'], title: 'Остатки', role: 'manager' },
      { href: paths.movements, scope: ['client_id'], title: 'Движения', role: 'manager' },
      {
        href: paths.lots,
        scope: scopeNames,
        title: 'Сроки годности',
        words: 'партии просрочено',
        role: 'worker',
      },
      {
        href: paths.counts,
        scope: scopeNames,
        title: 'Пересчёты',
        words: 'инвентаризация',
        role: 'worker',
        waiting: ({ counts }) => counts,
      },
    ],
  },
  {
    title: 'Хранение',
    icon: 'M3.5 2.5v15M16.5 2.5v15M3.5 8.5h13M3.5 15.5h13M6 8.5v-4h4v4M9.5 15.5v-4h4.5v4',
    pages: [
      {
        href: paths.locations,
        scope: ['warehouse_code'],
        title: 'Места хранения',
        words: 'ячейки полки',
        role: 'worker',
      },
      { href: paths.boxes, scope: scopeNames, title: 'Короба и паллеты', role: 'worker' },
      { href: paths.map, scope: ['warehouse_code'], title: 'Карта склада', role: 'worker' },
    ],
  },
  {
    title: 'Клиенты',
    icon: 'M2.5 6.5h15v10h-15zM7 6.5v-3h6v3M2.5 11h15',
    pages: [
      {
        href: paths.clients,
        title: 'Клиенты',
        role: 'manager',
        waiting: ({ key_requests }) => key_requests,
      },
      { href: paths.tariffs, title: 'Тарифы', words: 'деньги цены', role: 'manager', money: true },
      {
        href: paths.cabinets,
        scope: scopeNames,
        title: 'Кабинеты',
        role: 'manager',
        waiting: ({ cabinets }) => cabinets,
      },
      { href: paths.calls, scope: ['client_id'], title: 'Вызовы API', role: 'manager' },
    ],
  },
  {
    title: 'Люди',
    icon: 'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2 16.5c0-3 2.2-5 5.5-5s5.5 2 5.5 5M13 9.2a2.6 2.6 0 0 0 0-5.2M15 11.9c1.9.6 3 2.3 3 4.6',
    pages: [
      { href: paths.shifts, title: 'Смены', role: 'manager' },
      { href: paths.users, title: 'Пользователи', words: 'сотрудники', role: 'manager' },
      { href: paths.devices, title: 'Терминалы', words: 'тсд сканеры', role: 'manager' },
      {
        href: paths.changes,
        scope: ['client_id'],
        title: 'Изменения',
        words: 'журнал',
        role: 'manager',
      },
    ],
  },
  {
    title: 'Настройки',
    icon: 'M2.5 6h8m4 0h3M2.5 14h3m4 0h8M10.5 6a2 2 0 1 0 4 0 2 2 0 1 0-4 0M5.5 14a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
    pages: [
      { href: paths.warehouses, title: 'Склады', role: 'worker' },
      { href: paths.printing, title: 'Станции печати', role: 'manager' },
      { href: paths.printJobs, title: 'Задания печати', role: 'manager' },
      { href: paths.reasons, title: 'Причины', role: 'worker' },
      { href: paths.services, title: 'Обмен', role: 'administrator' },
    ],
  },
]

const ranks: Readonly<Record<Role, number>> = { worker: 0, manager: 1, administrator: 2 }

/** Each role may do everything that the ones before may. */
export function isAtLeast({ role }: Pick<StaffUser, 'role'>, least: Role): boolean {
  return ranks[role] >= ranks[least]
}

/** Administrators see money, and those whom one lets. */
export function maySeeMoney(user: Pick<StaffUser, 'role' | 'sees_money'>): boolean {
  return isAtLeast(user, 'administrator') || (isAtLeast(user, 'manager') && user.sees_money)
}

export function mayEnter(
  user: Pick<StaffUser, 'role' | 'sees_money'>,
  { role, money }: Page,
): boolean {
  return isAtLeast(user, role) && (money === undefined || maySeeMoney(user))
}

/** Pages that stand in no room. */
const elsewhere: readonly Page[] = [
  { href: paths.letters, title: 'Письма', role: 'administrator' },
  { href: paths.notices, title: 'Уведомления', role: 'manager' },
  { href: paths.start, title: 'Начало работы', role: 'administrator' },
  { href: collectionOf(paths.pallet), title: 'Паллета', role: 'worker' },
  { href: collectionOf(paths.webhook), title: 'Попытки доставки', role: 'manager' },
]

function collectionOf(path: string): string {
  return path.replace('/:id', '')
}

/** The page that an address lies in: a list, for its objects too. */
export function pageAt(path: string): Page | undefined {
  return listedPageAt(path) ?? elsewhere.find((page) => isIn(path, page.href))
}

/** The tab of a room that an address lies in; none for objects that stand in several. */
export function listedPageAt(path: string): Page | undefined {
  return rooms.flatMap(({ pages }) => pages).find((page) => isIn(path, page.href))
}

export function isIn(path: string, href: string): boolean {
  return path === href || (href !== paths.today && path.startsWith(`${href}/`))
}

interface OpenRoom extends Room {
  /** The first opens with the room. */
  readonly pages: readonly [Page, ...Page[]]
}

function isSome(pages: readonly Page[]): pages is OpenRoom['pages'] {
  return pages.length > 0
}

/** The rooms with the pages that somebody may enter; none without. */
export function roomsOf(user: Pick<StaffUser, 'role' | 'sees_money'>): readonly OpenRoom[] {
  return rooms.flatMap((room) => {
    const pages = room.pages.filter((page) => mayEnter(user, page))
    return isSome(pages) ? [{ ...room, pages }] : []
  })
}
