import type { StaffUser } from '../api/staff-calls.ts'
import { paths } from './paths.ts'

type Role = StaffUser['role']

export interface Room {
  readonly href: string
  readonly title: string
  /** Other words under which people look for it. */
  readonly words?: string
  /** The least role that may enter. */
  readonly role: Role
}

/** The rooms of the console as the navigation shows them. */
export const rooms: readonly { readonly title: string; readonly rooms: readonly Room[] }[] = [
  {
    title: 'Работа',
    rooms: [
      { href: paths.today, title: 'Что ждёт сегодня', role: 'worker' },
      { href: paths.figures, title: 'Склад в цифрах', role: 'manager' },
      { href: paths.receipts, title: 'Приёмки', words: 'поставки', role: 'worker' },
      { href: paths.orders, title: 'Заказы', role: 'worker' },
      { href: paths.shipments, title: 'Отгрузки', role: 'worker' },
      { href: paths.picking, title: 'Сборка', role: 'worker' },
      { href: paths.misses, title: 'Не нашли', words: 'нет товара', role: 'manager' },
      { href: paths.returns, title: 'Возвраты', role: 'worker' },
      { href: paths.exceptions, title: 'Исключения', role: 'manager' },
    ],
  },
  {
    title: 'Клиенты и товары',
    rooms: [
      { href: paths.clients, title: 'Клиенты', role: 'manager' },
      { href: paths.cabinets, title: 'Кабинеты', role: 'manager' },
      { href: paths.stock, title: 'Остатки', role: 'manager' },
      { href: paths.movements, title: 'Движения', role: 'manager' },
      { href: paths.counts, title: 'Пересчёты', words: 'инвентаризация', role: 'worker' },
    ],
  },
  {
    title: 'Хранение',
    rooms: [
      { href: paths.locations, title: 'Места хранения', words: 'ячейки полки', role: 'worker' },
      { href: paths.boxes, title: 'Короба и паллеты', role: 'worker' },
      { href: paths.map, title: 'Карта склада', role: 'worker' },
    ],
  },
  {
    title: 'Люди',
    rooms: [
      { href: paths.shifts, title: 'Смены', role: 'manager' },
      { href: paths.users, title: 'Пользователи', words: 'сотрудники', role: 'manager' },
      { href: paths.devices, title: 'Терминалы', words: 'тсд сканеры', role: 'manager' },
    ],
  },
  {
    title: 'Журналы',
    rooms: [
      { href: paths.changes, title: 'Изменения', role: 'manager' },
      { href: paths.calls, title: 'Вызовы API', role: 'manager' },
      { href: paths.receiptRequests, title: 'Заявки продавцов', role: 'manager' },
      { href: paths.refusedReceipts, title: 'Отказы в заявках', role: 'manager' },
    ],
  },
  {
    title: 'Настройки',
    rooms: [
      { href: paths.warehouses, title: 'Склады', role: 'worker' },
      { href: paths.printing, title: 'Станции печати', role: 'manager' },
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

/** Pages that the navigation does not show. */
const unlisted: readonly Room[] = [
  { href: paths.start, title: 'Начало работы', role: 'administrator' },
  { href: paths.expectedReturns, title: 'Что едет обратно', role: 'worker' },
  { href: paths.printJobs, title: 'Задания печати', role: 'manager' },
  { href: collectionOf(paths.pallet), title: 'Паллета', role: 'worker' },
  { href: collectionOf(paths.webhook), title: 'Попытки доставки', role: 'manager' },
]

function collectionOf(path: string): string {
  return path.replace('/:id', '')
}

/** The room or the unlisted page that an address lies in. */
export function roomAt(path: string): Room | undefined {
  return listedRoomAt(path) ?? unlisted.find((room) => isIn(path, room.href))
}

/** The room of the navigation that an address lies in; none for objects that stand in several. */
export function listedRoomAt(path: string): Room | undefined {
  return rooms.flatMap((group) => group.rooms).find((room) => isIn(path, room.href))
}

export function isIn(path: string, href: string): boolean {
  return path === href || (href !== paths.today && path.startsWith(`${href}/`))
}
