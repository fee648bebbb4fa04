-- Several cards of a cabinet may have one barcode, and a marketplace tells a figure for each of
-- their numbers. Which number an older figure was of is not known: cabinets that are asked tell
-- theirs again with the next round, and figures of the others, as of sandboxes, keep any number.
alter table marketplace_stock add item_id bigint, add product text collate "C";
delete from marketplace_stock m using cabinet_syncs s
where s.client_id = m.client_id and s.cabinet_id = m.cabinet_id;
update cabinet_syncs set stock_at = null;
update marketplace_stock m set item_id = n.item_id, product = n.item_id::text
from (
  select client_id, cabinet_id, barcode,
    row_number() over (partition by client_id, cabinet_id order by barcode) as item_id
  from marketplace_stock group by client_id, cabinet_id, barcode
) n
where n.client_id = m.client_id and n.cabinet_id = m.cabinet_id and n.barcode = m.barcode;
alter table marketplace_stock
  alter item_id set not null,
  -- Numbers of one product show the same units.
  alter product set not null,
  drop constraint marketplace_stock_pkey,
  add primary key (client_id, cabinet_id, item_id, warehouse_id);
create index marketplace_stock_by_barcode on marketplace_stock (client_id, barcode);
