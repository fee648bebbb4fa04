/**
 * States of a miss: goods of an order that a picker did not find.
 *
 *   OPEN --decide (a manager)--> DECIDED
 *   OPEN --found, order left, reported again--> CLOSED
 *
 * One miss of the same goods of an order is open at a time. A miss of a cancelled order counts as CLOSED at once; it is
 * written when the order leaves its task. An outcome never changes.
 */
export const missStatuses = ['OPEN', 'DECIDED', 'CLOSED'] as const
export type MissStatus = (typeof missStatuses)[number]

/** What a manager decides. */
export const missDecisions = [
  'look_elsewhere',
  'correct_stock',
  'remove_order',
  'tell_seller',
] as const
export type MissDecision = (typeof missDecisions)[number]

/** What ends a miss without a decision. */
export const missEndings = ['found', 'order_left', 'reported_again'] as const
export type MissEnding = (typeof missEndings)[number]

export type MissOutcome = MissDecision | MissEnding

export function missStatus(outcome: MissOutcome | null, isOrderCancelled: boolean): MissStatus {
  if (missDecisions.some((decision) => decision === outcome)) return 'DECIDED'
  return outcome === null && !isOrderCancelled ? 'OPEN' : 'CLOSED'
}

export const missStatusLabels: Readonly<Record<MissStatus, string>> = {
  OPEN: 'Ждёт решения',
  DECIDED: 'Решено',
  CLOSED: 'Решать нечего',
}

export const missOutcomeLabels: Readonly<Record<MissOutcome, string>> = {
  look_elsewhere: 'Взять в другом месте',
  correct_stock: 'Остаток исправлен',
  remove_order: 'Заказ убран из отгрузки',
  tell_seller: 'Сообщили продавцу',
  found: 'Товар нашёлся',
  order_left: 'Заказ ушёл из отгрузки',
  reported_again: 'Сообщили ещё раз',
}
