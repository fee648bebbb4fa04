import type { Database } from '../../../platform/db/connection.ts'

/**
 * - synced: its last run came to its end, and the next one is not late;
 * - late: its next run could have begun ten minutes ago: no process takes it;
 * - failing: its last run failed, and will be repeated;
 * - refused: the marketplace does not accept its key.
 */
export const cabinetStates = ['synced', 'late', 'failing', 'refused'] as const
export type CabinetState = (typeof cabinetStates)[number]

/** Figures of the exchange with marketplaces over all clients and processes, for the operator. */
export interface CabinetFigures {
  /** False while the exchange is held. */
  readonly enabled: boolean
  readonly cabinets: readonly { readonly state: CabinetState; readonly count: number }[]
}

/** The cost grows with the number of cabinets. */
export async function cabinetFigures(db: Database): Promise<CabinetFigures> {
  const rows = await db<{ enabled: boolean; state: CabinetState | null; count: number }[]>`
    select w.enabled, s.state, s.count from service_switches w left join (
      select case when credentials_refused then 'refused' when failures > 0 then 'failing'
          when next_at < now() - interval '10 minutes' then 'late' else 'synced' end as state,
        count(*)::int as count
      from cabinet_syncs group by 1
    ) s on true
    where w.name = 'marketplaces'`
  return {
    enabled: rows[0]?.enabled ?? true,
    cabinets: rows.flatMap(({ state, count }) => (state === null ? [] : [{ state, count }])),
  }
}
