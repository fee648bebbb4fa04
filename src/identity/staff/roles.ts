/** Roles in ascending order: each may do everything that the roles before it may. */
export const roles = ['worker', 'manager', 'administrator'] as const
export type Role = (typeof roles)[number]

export const roleLabels: Readonly<Record<Role, string>> = {
  worker: 'сотрудник склада',
  manager: 'менеджер',
  administrator: 'администратор',
}

/** Whether a role may do what `needed` may. */
export function covers(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
