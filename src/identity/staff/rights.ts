import { covers, type Role } from './roles.ts'

/**
 * What staff may do to each other: to role, access, password, PIN, tokens and warehouses of a user. Pages ask the same
 * before they offer it.
 */

export interface Person {
  readonly role: Role
  /** None means all warehouses. */
  readonly warehouses: readonly string[]
}

/** What keeps `setter` from changing the user, in Russian; undefined where nothing does. */
export function refusalOfChange(setter: Person, user: Person): string | undefined {
  if (!covers(setter.role, user.role)) return 'Это администратор: его меняет только администратор'
  return isWithin(setter.warehouses, user.warehouses)
    ? undefined
    : 'Пользователь работает и на других складах: обратитесь к администратору или к менеджеру всех его складов'
}

export const noPinOfAdministrator = 'Администратор входит по паролю, PIN ему не задают'

/** What keeps somebody of the warehouses `own` from giving a user these, in Russian; undefined where nothing does. */
export function refusalOfWarehouses(
  own: readonly string[],
  wanted: readonly string[],
): string | undefined {
  return isWithin(own, wanted)
    ? undefined
    : `Вы работаете на складах ${own.join(', ')}: других не назначить`
}

/** Whether somebody of the warehouses `own` sees the user: one who works in any of them, or in all. */
export function isSeen(own: readonly string[], { warehouses }: Pick<Person, 'warehouses'>) {
  return (
    own.length === 0 || warehouses.length === 0 || warehouses.some((code) => own.includes(code))
  )
}

/** Whether somebody of the warehouses `own` answers for all of `codes`. None means all warehouses, in both. */
function isWithin(own: readonly string[], codes: readonly string[]): boolean {
  return own.length === 0 || (codes.length > 0 && codes.every((code) => own.includes(code)))
}
