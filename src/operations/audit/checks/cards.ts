import { type Check, check } from '../check.ts'

/** Product cards of marketplaces, and their index by barcode, which triggers keep. */
export const cardChecks: readonly Check[] = [
  check(
    'cards are found by all of their barcodes and no others',
    (db, own) => db`
      select client_id, format('card %s', item_id) as object, case
        when b.barcode is null then format('not found by %s', c.barcode)
        else format('found by %s, which it does not have', b.barcode) end as what
      from (
        select distinct m.client_id, m.cabinet_id, m.item_id, barcode
        from marketplace_cards m cross join unnest(m.barcodes) as u (barcode) where ${own('m')}
      ) c
      full join (
        select b.client_id, b.cabinet_id, b.item_id, b.barcode from card_barcodes b where ${own('b')}
      ) b using (client_id, cabinet_id, item_id, barcode)
      where c.barcode is null or b.barcode is null`,
  ),
]
