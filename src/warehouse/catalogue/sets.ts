import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, excerpt, invalidField } from '../../platform/kernel/errors.ts'
import { quoted } from '../../platform/kernel/quoted.ts'
import { keepFromMerging } from './merged-products.ts'
import type { Goods } from './pictures.ts'
import { knownBarcodes, knownProductsOfScans } from './products.ts'

/**
 * Sets: products that are made of others of the same client. No part is a set itself. This file alone writes `set_parts`. A
 * change of the composition leaves orders as they are that hold parts already (`order_sets`).
 */

/** An expression: the parts of goods as JSON; null for goods that are no set. */
export function partsAsJson(db: Queryable, clientId: Fragment, barcode: Fragment): Fragment {
  return db`(
    select json_agg(json_build_object('barcode', s.barcode, 'name', g.name, 'qty', s.units)
      order by s.barcode)
    from set_parts s join products g on g.client_id = s.client_id and g.barcode = s.barcode
    where s.client_id = ${clientId} and s.set_barcode = ${barcode})`
}

export interface PartDraft {
  /** Any barcode of the part. */
  readonly barcode: string
  readonly qty: number
}

/**
 * Makes goods a set of these parts; without parts they are no set any more. Returns false where nothing changes. Throws
 * validation_error for parts that the client does not have or that are named twice, and conflict for a set as a part.
 */
export async function putParts(
  work: Work,
  { clientId, barcode }: Goods,
  drafts: readonly PartDraft[],
): Promise<boolean> {
  await lockSets(work, clientId)
  await keepFromMerging(work, clientId, [barcode])
  const parts = await knownParts(work, clientId, barcode, drafts)
  await refuseNested(work, clientId, barcode, [...parts.keys()])
  return (await writeParts(work, clientId, [{ barcode, parts }])) > 0
}

/** What sets of the client are made of stays until the transaction ends. */
export async function lockSets({ tx }: Work, clientId: string): Promise<void> {
  // Whoever takes orders in or fills a shipment holds this row, and so does whoever changes another set.
  await tx`select from clients where id = ${clientId} for no key update`
}

interface Composed {
  readonly barcode: string
  /** Units by the parts' own barcodes. */
  readonly parts: ReadonlyMap<string, number>
}

/** Makes goods sets of these parts. The caller has locked the sets, and no part is one. Returns how many sets changed. */
export async function writeParts(
  { tx }: Work,
  clientId: string,
  sets: readonly Composed[],
): Promise<number> {
  const rows = sets.flatMap(({ barcode: set, parts }) =>
    [...parts].map(([barcode, units]) => ({ set, barcode, units })),
  )
  const wanted = tx`jsonb_to_recordset(${tx.json(rows)}) as p (set text, barcode text, units integer)`
  const removed = await tx<{ set_barcode: string }[]>`
    delete from set_parts s
    where s.client_id = ${clientId} and s.set_barcode = any(${sets.map(({ barcode }) => barcode)})
      and not exists (select from ${wanted} where p.set = s.set_barcode and p.barcode = s.barcode)
    returning set_barcode`
  const written = await tx<{ set_barcode: string }[]>`
    insert into set_parts as s (client_id, set_barcode, barcode, units)
    select ${clientId}, p.* from ${wanted}
    on conflict (client_id, set_barcode, barcode) do update set units = excluded.units
    where s.units <> excluded.units returning set_barcode`
  return new Set([...removed, ...written].map((row) => row.set_barcode)).size
}

export interface SetGoods {
  readonly own: (written: string) => string | undefined
  readonly nameOf: (barcode: string) => string
  readonly isSet: (barcode: string) => boolean
  readonly setsWith: (barcode: string) => readonly string[]
  /** Whether goods are made of exactly these parts. */
  readonly isMadeOf: (set: Composed) => boolean
}

/** What the client has of goods that a table of sets names by any of their barcodes. */
export async function goodsOfSets(
  db: Queryable,
  clientId: string,
  written: readonly string[],
): Promise<SetGoods> {
  const own = await knownBarcodes(db, clientId, written)
  const barcodes = [...new Set(written.map(own))].filter((barcode) => barcode !== undefined)
  const names = await db<{ barcode: string; name: string }[]>`
    select barcode, name from products where client_id = ${clientId} and barcode = any(${barcodes})`
  const nameBy = new Map(names.map(({ barcode, name }) => [barcode, name]))
  const parts = await db<{ set: string; barcode: string; units: number }[]>`
    select set_barcode as set, barcode, units from set_parts
    where client_id = ${clientId} and (set_barcode = any(${barcodes}) or barcode = any(${barcodes}))`
  const bySet = Map.groupBy(parts, ({ set }) => set)
  const byPart = Map.groupBy(parts, ({ barcode }) => barcode)
  return {
    own,
    nameOf: (barcode) => nameBy.get(barcode) ?? barcode,
    isSet: (barcode) => bySet.has(barcode),
    setsWith: (barcode) => (byPart.get(barcode) ?? []).map(({ set }) => set),
    isMadeOf: ({ barcode, parts: wanted }) => {
      const now = bySet.get(barcode) ?? []
      return (
        now.length === wanted.size && now.every((part) => wanted.get(part.barcode) === part.units)
      )
    },
  }
}

/** Units by the parts' own barcodes. */
async function knownParts(
  { tx }: Work,
  clientId: string,
  set: string,
  drafts: readonly PartDraft[],
): Promise<ReadonlyMap<string, number>> {
  const known = await knownProductsOfScans(
    tx,
    clientId,
    drafts.map(({ barcode }) => barcode),
  )
  const parts = new Map<string, number>()
  for (const [index, { barcode, qty }] of drafts.entries()) {
    const field = `parts[${index}].barcode`
    const part = known.get(barcode)
    if (part === undefined) throw invalidField(field, `у клиента нет товара ${excerpt(barcode)}`)
    if (part === set) throw invalidField(field, 'это сам набор, а нужна его часть')
    if (parts.has(part)) {
      throw invalidField(field, `товар ${excerpt(part)} уже назван: сложите количества`)
    }
    parts.set(part, qty)
  }
  return parts
}

async function refuseNested(
  { tx }: Work,
  clientId: string,
  set: string,
  parts: readonly string[],
): Promise<void> {
  const [nested] = await tx<{ barcode: string; name: string }[]>`
    select p.barcode, p.name from set_parts s
    join products p on p.client_id = s.client_id and p.barcode = s.set_barcode
    where s.client_id = ${clientId}
      and (s.set_barcode = any(${[...parts]}) or s.barcode = ${set} and ${parts.length > 0})
    order by p.barcode limit 1`
  if (nested === undefined) return
  const name = `${quoted(nested.name)} (${excerpt(nested.barcode)})`
  throw conflict(
    parts.includes(nested.barcode)
      ? `${name} — набор, а в набор входят только товары: добавьте вместо него его части`
      : `Товар входит в набор ${name}, поэтому сам набором быть не может`,
  )
}
