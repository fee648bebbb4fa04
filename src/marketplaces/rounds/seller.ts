import type { Transaction } from '../../db/connection.ts'
import type { Timestamp } from '../../kernel/moscow-time.ts'
import type { Round } from './rounds.ts'
import { type Sync, write } from './writing.ts'

/**
 * New credentials may be another seller's than before: then the cabinet begins anew. How far the
 * first one's data had come says nothing of the second's, and his cards and figures go. Orders that
 * came in stay, as nobody can tell that they should not.
 */
export async function syncSeller(sync: Sync): Promise<void> {
  const { round, connector, startedAt } = sync
  const { seller } = connector
  if (seller === undefined || seller === round.seller) return
  if (round.seller === null) {
    await write(sync, startedAt, ({ tx }) => nameSeller(tx, round, seller))
    sync.round = { ...round, seller }
    return
  }
  // Whose the cabinet is changes last, so that what was begun is gone on with after a crash.
  for (let left = true; left; ) left = await write(sync, startedAt, ({ tx }) => forget(tx, round))
  sync.round = await write(sync, startedAt, ({ tx }) => beginAnew(tx, round, seller))
}

async function nameSeller(tx: Transaction, round: Round, seller: string): Promise<void> {
  await tx`
    update cabinet_syncs set seller = ${seller}
    where client_id = ${round.clientId} and cabinet_id = ${round.cabinetId}`
}

/** Rows at once. */
const rowsMax = 1000

/**
 * A page of the cards and one of the figures go; false where there were none. Whoever has the
 * cabinet next has them told again, be it the former seller who comes back in the middle.
 */
async function forget(tx: Transaction, { clientId, cabinetId }: Round): Promise<boolean> {
  const own = tx`client_id = ${clientId} and cabinet_id = ${cabinetId}`
  await tx`
    update cabinet_syncs set cards_mark = null, cards_at = null, stock_at = null where ${own}`
  const cards = await tx`
    delete from marketplace_cards where ${own} and item_id in (
      select item_id from marketplace_cards where ${own} order by item_id limit ${rowsMax})`
  const figures = await tx`
    delete from marketplace_stock where ${own} and (item_id, warehouse_id) in (
      select item_id, warehouse_id from marketplace_stock where ${own}
      order by item_id, warehouse_id limit ${rowsMax})`
  return cards.count + figures.count > 0
}

async function beginAnew(tx: Transaction, round: Round, seller: string): Promise<Round> {
  const [anew] = await tx<{ connectedAt: Timestamp }[]>`
    update cabinet_syncs s set seller = ${seller}, connected_at = coalesce(k.credentials_at, now()),
      orders_from = null, shipments_from = null, cards_mark = null, cards_at = null,
      cards_failure = null, stock_at = null, ended_at = null, ended_after = null
    from cabinets k
    where k.client_id = s.client_id and k.id = s.cabinet_id
      and s.client_id = ${round.clientId} and s.cabinet_id = ${round.cabinetId}
    returning s.connected_at as "connectedAt"`
  return {
    ...round,
    ...anew,
    seller,
    ordersFrom: null,
    shipmentsFrom: null,
    cardsMark: null,
    cardsAt: null,
    cardsFailure: null,
    stockAt: null,
    endedAt: null,
    endedAfter: null,
  }
}
