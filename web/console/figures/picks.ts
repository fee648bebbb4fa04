import type { Shift } from '../../api/staff-calls.ts'

/** Units that somebody picked in an hour, of the hours in which there were any. */
export function picksPerHour({ picks, picking_hours: hours }: Shift): number {
  return hours === 0 ? 0 : Math.round(picks / hours)
}
