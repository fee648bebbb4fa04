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

export const endStates: readonly ReturnState[] = ['RECEIVED', 'NOT_COMING']

/** Why goods come back: cancelled on the way, refused at the hand-over, brought back by the buyer. */
export const returnKinds = ['CANCELLATION', 'REFUSAL', 'BUYER_RETURN', 'OTHER'] as const
export type ReturnKind = (typeof returnKinds)[number]
