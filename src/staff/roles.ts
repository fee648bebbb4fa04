/** Roles, each of which may do all that those before it may. */
export const roles = ['worker', 'manager', 'administrator'] as const
export type Role = (typeof roles)[number]

export const roleLabels: Readonly<Record<Role, string>> = {
  worker: 'сотрудник склада',
  manager: 'менеджер',
  administrator: 'администратор',
}

/** Whether somebody of a role may do what is for `needed`. */
export function covers(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
