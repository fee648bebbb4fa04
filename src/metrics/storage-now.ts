import type { Queryable } from '../db/connection.ts'

/** What lies in storage now. */
export interface StorageNow {
  readonly units: number
  readonly in_question: number
  readonly sku_count: number
  readonly boxes: number
  readonly pallets: number
}

export type ReadStorage = (db: Queryable, clientId: string) => Promise<StorageNow>

type Figures = StorageNow | Record<keyof StorageNow, null>

/** Earlier than every version of a stock. */
const noVersion = -1

/** The version of the client's stock; beside it the figures, unless the version is `known` already. */
async function readUnlessKnown(db: Queryable, clientId: string, known: number) {
  // Behind `offset 0` nothing is read of a version that is known.
  const [row] = await db<[{ version: number } & Figures]>`
    select v.version, s.* from (
      select coalesce(sum(version), 0)::bigint as version from stock_versions where client_id = ${clientId}
    ) v
    left join lateral (
      select b.*, c.* from (
        select coalesce(sum(quantity), 0)::bigint as units,
          coalesce(sum(in_question), 0)::bigint as in_question,
          (count(*) filter (where quantity > 0))::int as sku_count
        from stock_balances where client_id = ${clientId}
      ) b, (
        select coalesce(sum(p.boxes), 0)::int as boxes, count(p.pallet_id)::int as pallets from (
          select x.pallet_id, count(*) as boxes from boxes x
          where x.client_id = ${clientId} and exists (
            select from box_contents c where c.client_id = x.client_id and c.box_id = x.id)
          group by x.pallet_id
        ) p
      ) c
      where v.version <> ${known}::bigint offset 0
    ) s on true`
  const { version, ...storage } = row
  return { version, storage: storage.units === null ? undefined : storage }
}

export const readStorage: ReadStorage = async (db, clientId) => {
  const { storage } = await readUnlessKnown(db, clientId, noVersion)
  if (storage === undefined) throw new Error('a stock without a version has no figures')
  return storage
}

const clientsMax = 1_000

/**
 * Reads what lies in storage, and remembers it for the version of the client's stock: while that does not change, only the
 * version is read. The clients that were asked for least recently are forgotten.
 */
export function rememberStorage(): ReadStorage {
  const remembered = new Map<string, { readonly version: number; readonly storage: StorageNow }>()
  return async (db, clientId) => {
    const known = remembered.get(clientId)
    const { version, storage = known?.storage } = await readUnlessKnown(
      db,
      clientId,
      known?.version ?? noVersion,
    )
    if (storage === undefined)
      throw new Error('the version of a stock is known without its figures')
    remembered.delete(clientId)
    remembered.set(clientId, { version, storage })
    if (remembered.size > clientsMax) remembered.delete(remembered.keys().next().value ?? '')
    return storage
  }
}
