import type { Database } from '../../platform/db/connection.ts'
import { openCopySession } from '../../platform/db/copy-session.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { Cells } from './conditions.ts'
import type { Codes } from './copy.ts'
import { refuseTwice } from './merge.ts'
import { findLeaving, hasArrived, type Move } from './moves.ts'

/** What the other cell knows already: a warehouse comes to a cell that does not know it, or back to one that it left. */

interface Known {
  readonly code: string
  readonly mode: string
  readonly createdAt: Instant
}

/**
 * The codes of a move. Earlier warehouses that the other cell has itself are not copied: it knows their prices.
 *
 * @throws StartError where it has something else under one of the codes, or some of the clients left it with another warehouse
 */
export async function codesOf(
  cells: Cells,
  { warehouse, otherCode }: Pick<Move, 'warehouse' | 'otherCode'>,
): Promise<Codes> {
  const earlier = await earlierCodes(cells.db, warehouse)
  const here = await warehousesOf(cells.db, [warehouse, ...earlier])
  const there = await warehousesOf(cells.other, [otherCode, ...earlier])
  const own = new Set<string>()
  for (const { code, mode, createdAt } of there) {
    const same = here.find((each) => each.code === (code === otherCode ? warehouse : code))
    const isSame = same?.createdAt === createdAt
    if (code === otherCode ? isSame && mode === 'moved' : isSame) {
      if (code !== otherCode && mode === 'live') own.add(code)
      continue
    }
    const advice =
      code === otherCode
        ? 'name another code with --as'
        : 'clients were in a warehouse of that code here, whose prices have to come along'
    throw new StartError(`the other cell has a warehouse ${code}: ${advice}`)
  }
  return {
    warehouse,
    otherCode,
    earlier: earlier.filter((code) => !own.has(code)),
    comesBack: there.some(({ code }) => code === otherCode),
  }
}

function warehousesOf(db: Database, codes: readonly string[]): Promise<Known[]> {
  return db<Known[]>`
    select code, mode, created_at as "createdAt" from warehouses
    where code = any(${[...codes]}) order by code`
}

/** Warehouses in which the clients of this one were before. */
async function earlierCodes(db: Database, warehouse: string): Promise<string[]> {
  const rows = await db<{ code: string }[]>`
    select distinct h.warehouse_code as code from client_warehouses h
    join clients c on c.id = h.client_id and c.mode <> 'test'
    where c.warehouse_code = ${warehouse} and h.warehouse_code <> ${warehouse} order by 1`
  return rows.map(({ code }) => code)
}

export async function liveClientsOf(db: Database, warehouse: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from clients where warehouse_code = ${warehouse} and mode = 'live' order by id`
  return rows.map(({ id }) => id)
}

/** Before anything is held. @throws StartError with what the other cell has that must be there once */
export async function refuseCollisions(
  cells: Cells,
  move: Pick<Move, 'id' | 'warehouse' | 'otherCode'>,
): Promise<Codes> {
  const codes = await codesOf(cells, move)
  if (await hasArrived(cells.other, move)) return codes
  const clients = await liveClientsOf(cells.db, move.warehouse)
  await refuseOthersOfReturn(cells.other, codes, clients)
  const source = await openCopySession(cells.db)
  const target = await openCopySession(cells.other)
  try {
    await target.run('begin')
    await refuseTwice({ source, target }, clients)
    await target.run('rollback')
  } catch (error) {
    throw target.causeOf(source.causeOf(error))
  } finally {
    await target.end()
    await source.end()
  }
  return codes
}

/** A warehouse comes back with everybody who left with it, under the code that it had. */
async function refuseOthersOfReturn(
  other: Database,
  { warehouse, otherCode }: Codes,
  clients: readonly string[],
): Promise<void> {
  const left = await findLeaving(other, otherCode)
  if (left !== undefined && left.state !== 'DONE') {
    throw new StartError(
      `the move by which warehouse ${warehouse} came has not ended: repeat its command in the other cell`,
    )
  }
  const [elsewhere] = await other<{ name: string; code: string; comes: boolean }[]>`
    select name, warehouse_code as code, id = any(${[...clients]}::uuid[]) as comes from clients
    where mode = 'moved' and (warehouse_code = ${otherCode}) <> (id = any(${[...clients]}::uuid[]))
    order by name limit 1`
  if (elsewhere === undefined) return
  throw new StartError(
    elsewhere.comes
      ? `client ${elsewhere.name} left the other cell with warehouse ${elsewhere.code}: it comes back with that one, by --as ${elsewhere.code}`
      : `client ${elsewhere.name} left the other cell with warehouse ${otherCode}, and is in another one here: bring it back to ${warehouse} first`,
  )
}
