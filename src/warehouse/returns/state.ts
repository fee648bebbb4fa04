/**
 * What a marketplace sends back.
 *
 *   ON_THE_WAY --arrives--> READY --is fetched--> RECEIVED
 *   ON_THE_WAY, READY --is kept, lost or disposed of--> NOT_COMING
 *
 * OTHER: the marketplace's state has no meaning here yet. The marketplace decides, so any state may follow any
 * other. RECEIVED and NOT_COMING are the ends: a return that nobody waited for is not taken in with them.
 */
export const returnStates = ['ON_THE_WAY', 'READY', 'RECEIVED', 'NOT_COMING', 'OTHER'] as const
export type ReturnState = (typeof returnStates)[number]

export const returnStateLabels: Readonly<Record<ReturnState, string>> = {
  ON_THE_WAY: 'Едет',
  READY: 'Можно забрать',
  RECEIVED: 'Получен',
  NOT_COMING: 'Не приедет',
  OTHER: 'Другое состояние',
}

export const endStates: readonly ReturnState[] = ['RECEIVED', 'NOT_COMING']

/** Why goods come back: cancelled on the way, refused at the hand-over, brought back by the buyer. */
export const returnKinds = ['CANCELLATION', 'REFUSAL', 'BUYER_RETURN', 'OTHER'] as const
export type ReturnKind = (typeof returnKinds)[number]

/**
 * A batch of goods that came back.
 *
 *   OPEN --finish--> FINISHED
 *
 * Units are taken in, and scans undone, while it is OPEN.
 */
export const returnBatchStatuses = ['OPEN', 'FINISHED'] as const
export type ReturnBatchStatus = (typeof returnBatchStatuses)[number]

export const returnBatchStatusLabels: Readonly<Record<ReturnBatchStatus, string>> = {
  OPEN: 'Склад принимает',
  FINISHED: 'Принят',
}

export const returnBatchVerbs = ['scan', 'undo', 'finish'] as const
export type ReturnBatchVerb = (typeof returnBatchVerbs)[number]

const batchVerbsFrom: Readonly<Record<ReturnBatchStatus, readonly ReturnBatchVerb[]>> = {
  OPEN: returnBatchVerbs,
  FINISHED: [],
}

/** Whether the status allows the verb. */
export function allowsReturnBatchVerb(status: ReturnBatchStatus, verb: ReturnBatchVerb): boolean {
  return batchVerbsFrom[status].includes(verb)
}

/** In what condition a unit came back. Only a sellable one may be sold at once. */
export const returnConditions = ['sellable', 'damaged', 'unknown'] as const
export type ReturnCondition = (typeof returnConditions)[number]

/** The reason of a unit in question whose worker named none: a code of the kind `correction`. */
export const usualReasons: Readonly<Record<Exclude<ReturnCondition, 'sellable'>, string>> = {
  damaged: 'DAMAGED',
  unknown: 'UNCHECKED_RETURN',
}

/** As papers say it of a unit. */
export const returnConditionNames: Readonly<Record<ReturnCondition, string>> = {
  sellable: 'можно продавать',
  damaged: 'повреждён',
  unknown: 'не осмотрен',
}
