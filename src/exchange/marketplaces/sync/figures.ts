import type { Database } from '../../../platform/db/connection.ts'
import { isStaying } from '../../../platform/db/leaving.ts'
import type { Marketplace } from '../../../warehouse/clients/marketplace.ts'

/**
 * - synced: its last run came to its end, and the next one is not late;
 * - late: its next run could have begun ten minutes ago: no process takes it;
 * - failing: its last run failed, and will be repeated;
 * - refused: the marketplace does not accept its key.
 */
export const cabinetStates = ['synced', 'late', 'failing', 'refused'] as const
export type CabinetState = (typeof cabinetStates)[number]

export interface CabinetCount {
  readonly marketplace: Marketplace
  readonly state: CabinetState
  readonly count: number
}

/** Figures of the exchange with marketplaces over all clients and processes, for the operator. */
export interface CabinetFigures {
  /** False while the exchange is held. */
  readonly enabled: boolean
  readonly cabinets: readonly CabinetCount[]
  /**
   * By marketplace: how long ago its least recently synced cabinet was synced. Those with a refused key don't count.
   */
  readonly oldestSyncMs: ReadonlyMap<Marketplace, number>
}

/** The cost grows with the number of cabinets. */
export async function cabinetFigures(db: Database): Promise<CabinetFigures> {
  const [switched] = await db<{ enabled: boolean }[]>`
    select enabled from service_switches where name = 'marketplaces'`
  const rows = await db<(CabinetCount & { oldestSyncMs: number })[]>`
    select k.marketplace, s.state, count(*)::int as count,
      (extract(epoch from now() - min(coalesce(k.synced_at, s.connected_at))) * 1000)::int8 as "oldestSyncMs"
    from (
      select client_id, cabinet_id, connected_at,
        case when credentials_refused then 'refused' when failures > 0 then 'failing'
          when next_at < now() - interval '10 minutes' then 'late' else 'synced' end as state
      from cabinet_syncs where ${isStaying(db, 'client_id')}
    ) s join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
    group by 1, 2 order by 1, 2`
  const oldestSyncMs = new Map<Marketplace, number>()
  for (const { marketplace, state, oldestSyncMs: ms } of rows) {
    if (state === 'refused') continue
    oldestSyncMs.set(marketplace, Math.max(ms, oldestSyncMs.get(marketplace) ?? 0))
  }
  return {
    enabled: switched?.enabled ?? true,
    cabinets: rows.map(({ marketplace, state, count }) => ({ marketplace, state, count })),
    oldestSyncMs,
  }
}
