import type { StaffUser } from '../../api/staff-calls.ts'

export const roles: Readonly<Record<StaffUser['role'], string>> = {
  worker: 'Сотрудник склада',
  manager: 'Менеджер',
  administrator: 'Администратор',
}

export const roleChoices = Object.entries(roles).map(([value, text]) => ({ value, text }))
