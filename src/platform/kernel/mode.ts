export const modes = ['live', 'test'] as const

/**
 * Whose data it is: a seller's (`live`) or a sandbox's (`test`). A client keeps its mode for life.
 */
export type Mode = (typeof modes)[number]
