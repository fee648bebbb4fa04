import type { StaffUser } from '../../api/staff-calls.ts'
import { listOf, paths } from '../paths.ts'

export interface Command {
  readonly title: string
  /** Other words under which people look for it. */
  readonly words?: string
  readonly href: string
  /** The least role that may do it. */
  readonly role: StaffUser['role']
}

/** What the palette does beside opening: each opens its form. */
export const commands: readonly Command[] = [
  { title: 'Завести клиента', href: listOf(paths.clients, { form: 'new' }), role: 'manager' },
  { title: 'Новая приёмка', href: listOf(paths.receipts, { form: 'new' }), role: 'manager' },
  { title: 'Новая отгрузка', href: listOf(paths.shipments, { form: 'new' }), role: 'manager' },
  {
    title: 'Новый пересчёт',
    words: 'инвентаризация',
    href: listOf(paths.counts, { form: 'new' }),
    role: 'manager',
  },
  { title: 'Новый приём возвратов', href: listOf(paths.returns, { form: 'new' }), role: 'manager' },
  { title: 'Завести места', href: listOf(paths.locations, { form: 'new' }), role: 'manager' },
  {
    title: 'Напечатать этикетки мест',
    href: listOf(paths.locations, { form: 'labels' }),
    role: 'worker',
  },
  {
    title: 'Завести станцию печати',
    href: listOf(paths.printing, { form: 'new' }),
    role: 'manager',
  },
  {
    title: 'Что не напечатано',
    href: listOf(paths.printJobs, { status: 'FAILED' }),
    role: 'manager',
  },
  { title: 'Приёмка из файла', href: listOf(paths.receipts, { form: 'file' }), role: 'manager' },
  { title: 'Добавить терминал', href: listOf(paths.devices, { form: 'new' }), role: 'manager' },
  {
    title: 'Завести пользователя',
    href: listOf(paths.users, { form: 'new' }),
    role: 'administrator',
  },
]
