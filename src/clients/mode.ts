/** Whose data it is: a seller's, or a sandbox's. It never changes. */
export type Mode = 'live' | 'test'
