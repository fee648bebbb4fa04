import type { SharedWork, Work } from '../../platform/db/work.ts'
import type { PictureBytes } from './picture-bytes.ts'
import { type Goods, noteUnused, storePicture } from './pictures.ts'

/**
 * Pictures that the cards of marketplaces name. Each address is fetched once:
 *
 *     named --claimed--> fetched
 *     named --claimed, failed--> named, due after a longer pause --the last pause is over--> given up
 *     any --the card names another address--> named
 *
 * A claim counts as a failed attempt until it succeeds, so a process may be killed at any moment, and two never fetch the same.
 * A product keeps the picture that it shows while another is fetched, and where its card names none any more.
 */

/** After the first attempt, the second, and so on; then the address is given up. */
const pauses = ['1 minute', '10 minutes', '1 hour', '6 hours', '1 day']

/**
 * Gives goods the addresses of pictures that their cards name. The card has the barcode in any spelling, the exact one
 * first; of several cards the first counts.
 */
export async function nameCardPictures(
  { tx, at }: SharedWork,
  clientId: string,
  barcodes: readonly string[],
): Promise<void> {
  const given = [...barcodes]
  await tx`
    with goods as materialized (
      select p.barcode from products p
      where p.client_id = ${clientId} and p.barcode = any (array(
        select unnest(${given}::text[]) union
        select a.barcode from barcode_aliases a
        where a.client_id = ${clientId} and a.spelling = any(${given})))
    ), named as (
      select g.barcode, c.picture_url from goods g
      cross join lateral (
        select c.picture_url from (
          select g.barcode as spelling union all
          select a.spelling from barcode_aliases a
          where a.client_id = ${clientId} and a.barcode = g.barcode and a.spelling <> g.barcode
        ) s
        join card_barcodes b on b.client_id = ${clientId} and b.barcode = s.spelling
        join marketplace_cards c on c.client_id = b.client_id and c.cabinet_id = b.cabinet_id
          and c.item_id = b.item_id and c.picture_url is not null
        order by s.spelling <> g.barcode, c.cabinet_id, c.item_id limit 1
      ) c
    )
    insert into product_pictures as k (client_id, barcode, card_url, due_at)
    select ${clientId}, n.barcode, n.picture_url, ${at} from named n order by n.barcode
    on conflict (client_id, barcode) do update set
      card_url = excluded.card_url, due_at = excluded.due_at, attempts = 0
    where k.card_url is distinct from excluded.card_url`
}

export interface DuePicture extends Goods {
  readonly url: string
  /** This one is included. */
  readonly attempts: number
  readonly isLast: boolean
}

/** Claims addresses of live clients that are due, the longest waiting first. */
export async function claimDuePictures(
  { tx, at }: SharedWork,
  limit: number,
): Promise<readonly DuePicture[]> {
  return tx<DuePicture[]>`
    update product_pictures k set attempts = k.attempts + 1,
      due_at = ${at}::timestamptz + (${pauses}::text[])[k.attempts + 1]::interval
    from (
      select p.client_id, p.barcode from product_pictures p
      join clients c on c.id = p.client_id and c.mode = 'live' and not c.leaving
      where p.due_at <= ${at} order by p.due_at limit ${limit} for update of p skip locked
    ) due
    where k.client_id = due.client_id and k.barcode = due.barcode
    returning k.client_id as "clientId", k.barcode, k.card_url as url, k.attempts, k.due_at is null as "isLast"`
}

/** Keeps what was fetched, unless the card has named another address meanwhile. Throws conflict where the client has too many. */
export async function keepFetchedPicture(
  work: Work,
  { clientId, barcode, url }: DuePicture,
  picture: PictureBytes,
): Promise<void> {
  const { tx } = work
  const [row] = await tx<{ fetched: Buffer | null }[]>`
    select fetched from product_pictures
    where client_id = ${clientId} and barcode = ${barcode} and card_url = ${url} for update`
  if (row === undefined) return
  const hash = await storePicture(work, clientId, picture)
  await tx`
    update product_pictures set fetched = ${hash}, due_at = null
    where client_id = ${clientId} and barcode = ${barcode}`
  await noteUnused(work, clientId, row.fetched)
}
