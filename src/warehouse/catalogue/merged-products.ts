import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'

/** Products that became another one: they keep their rows for what is over, and their barcodes name the other one. */

export interface Merging {
  /** The own barcode of the product that goes. */
  readonly from: string
  /** The own barcode of the product that stays. */
  readonly into: string
}

/** Until the transaction ends nobody else names these goods in a new document or puts them at a new place. */
export async function lockProducts(
  { tx }: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  await tx`
    select from products where client_id = ${clientId} and barcode in (${from}, ${into})
    order by barcode for update`
}

/**
 * Keeps these goods from being merged until the transaction ends. If they are being merged, this transaction runs again
 * and finds the product that they became.
 */
export async function keepFromMerging(
  { tx }: SharedWork,
  clientId: string,
  barcodes: readonly string[],
): Promise<void> {
  await tx`
    select from products where client_id = ${clientId} and barcode = any(${[...barcodes]})
    order by barcode for key share`
  await tx`select refuse_merged(${clientId}, ${[...barcodes]})`
}

/** Marks a product as merged, and gives its barcodes to the other one: those that were merged into it before, too. */
export async function markMerged(
  { tx }: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  await tx`
    update products set merged_into = ${into}
    where client_id = ${clientId} and (barcode = ${from} or merged_into = ${from})`
  await tx`
    update barcode_aliases set barcode = ${into}, added = coalesce(added, ${from})
    where client_id = ${clientId} and barcode = ${from}`
}

/** SQL of the barcodes under which these goods are in the ledger: the own one, and those of products that were merged into it. */
export function ledgerBarcodes(db: Queryable, clientId: string, barcode: string) {
  return db`array(
    select ${barcode}::text collate "C" union all
    select barcode from products where client_id = ${clientId} and merged_into = ${barcode})`
}

/**
 * The product that goods of a record are now: SQL to join, and the barcode with it. `alias` names a table with client_id and
 * barcode.
 */
export function goodsNow(db: Queryable, alias: string) {
  const now = `${alias}_now`
  const column = (name: string) => db(`${alias}.${name}`)
  return {
    join: db`
      left join products ${db(now)} on ${db(`${now}.client_id`)} = ${column('client_id')}
        and ${db(`${now}.barcode`)} = ${column('barcode')} and ${db(`${now}.merged_into`)} is not null`,
    barcode: db`coalesce(${db(`${now}.merged_into`)}, ${column('barcode')})`,
  }
}

/** The products that merged ones became, by their barcodes; others are left out. */
export async function mergedInto(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db<{ barcode: string; into: string }[]>`
    select barcode, merged_into as "into" from products
    where client_id = ${clientId} and barcode = any(${[...barcodes]}) and merged_into is not null`
  return new Map(rows.map(({ barcode, into }) => [barcode, into]))
}
