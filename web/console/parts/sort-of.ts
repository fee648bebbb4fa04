import type { Calls } from '../../api/staff-calls.ts'

/** The orders that a call answers its list in. */
export type SortOf<Call extends keyof Calls> = Calls[Call] extends {
  query?: { sort?: infer Sort }
}
  ? Exclude<Sort, undefined>
  : never
