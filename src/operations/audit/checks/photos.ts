import { photoBytesOfClientMax, photosOfObjectMax } from '../../../warehouse/photos/photos.ts'
import { type Check, check } from '../check.ts'

/** Photos: bytes by their hash where they are in the database, each of an object that is there, within their bounds. */
export const photoChecks: readonly Check[] = [
  check(
    'photos are the bytes of their hash',
    (db, own) => db`
      select p.client_id, format('photo %s', p.id) as object,
        format('its %s bytes have %s', octet_length(p.bytes), encode(sha256(p.bytes), 'hex')) as what
      from photos p where ${own('p')} and (p.hash <> sha256(p.bytes) or p.size <> octet_length(p.bytes))`,
  ),
  check(
    'photos belong to an object',
    (db, own) => db`
      select p.client_id, format('photo %s', p.id) as object, format('no %s %s', p.kind, p.object_id) as what
      from photos p
      left join receipts r on p.kind = 'receipt' and r.client_id = p.client_id and r.id::text = p.object_id
      left join return_batches b on p.kind = 'return' and b.client_id = p.client_id and b.id::text = p.object_id
      left join orders o on p.kind = 'order' and o.client_id = p.client_id and o.id::text = p.object_id
      left join stock_counts c on p.kind = 'count' and c.client_id = p.client_id and c.id::text = p.object_id
      left join stock_entries e
        on p.kind = 'stock_entry' and e.client_id = p.client_id and e.entry_id = p.object_id
      left join scan_exceptions x
        on p.kind = 'scan_exception' and x.client_id = p.client_id and x.id::text = p.object_id
      where ${own('p')} and num_nonnulls(r.id, b.id, o.id, c.id, e.entry_id, x.id) = 0`,
  ),
  check(
    'photos of a client keep their bounds',
    (db, own) => db`
      select client_id, 'photos' as object, format('%s of one object, %s bytes', max(photos), sum(bytes)) as what
      from (
        select p.client_id, count(*) as photos, sum(octet_length(p.bytes)) as bytes
        from photos p where ${own('p')} group by p.client_id, p.kind, p.object_id
      ) o
      group by client_id
      having max(photos) > ${photosOfObjectMax} or sum(bytes) > ${photoBytesOfClientMax}`,
  ),
]
