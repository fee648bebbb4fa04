import type { Fragment } from '../../platform/db/fragment.ts'

/** A client's id, or an SQL expression for it. */
export type ClientId = string | Fragment
