import { covers, type Role } from './roles.ts'

/** What staff may change of each other beside their roles. Pages ask the same before they offer it. */

interface Person {
  readonly role: Role
  /** None means all warehouses. */
  readonly warehouses: readonly string[]
}

/** What keeps `setter` from giving or taking away the user's PIN, in Russian; undefined where nothing does. */
export function refusalOfPin(setter: Person, user: Person): string | undefined {
  if (!covers(setter.role, user.role)) {
    return 'PIN пользователя со старшей ролью задаёт только старший'
  }
  return isWithin(setter.warehouses, user.warehouses)
    ? undefined
    : 'Пользователь работает и на других складах: PIN задаст менеджер всех его складов'
}

export const noPinOfAdministrator = 'Администратор входит по паролю, PIN ему не задают'

/** What keeps who works in `own` warehouses from changing `before` into `wanted`, in Russian. */
export function refusalOfWarehouses(
  own: readonly string[],
  before: readonly string[],
  wanted: readonly string[] = before,
): string | undefined {
  return isWithin(own, wanted) && isWithin(own, before)
    ? undefined
    : `Вы работаете на складах ${own.join(', ')}: других не назначить`
}

/** Whether who works in `own` warehouses answers for all of `codes`. None means all warehouses, in both. */
function isWithin(own: readonly string[], codes: readonly string[]): boolean {
  return own.length === 0 || (codes.length > 0 && codes.every((code) => own.includes(code)))
}
