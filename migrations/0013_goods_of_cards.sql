-- Null: the marketplace does not say.
alter table marketplace_cards add honest_mark boolean;
-- What changed is told from a mark on: all cards are told once more, with what they say of marking.
update cabinet_syncs s set cards_mark = null, cards_at = null
from cabinets k where k.client_id = s.client_id and k.id = s.cabinet_id and k.marketplace = 'WB';

-- What no delivery could have is no barcode, and may be longer than an index takes.
update marketplace_cards c set barcodes = array(
  select b.barcode from unnest(c.barcodes) with ordinality b (barcode, at)
  where char_length(b.barcode) <= 64 order by b.at)
where exists (select from unnest(c.barcodes) b (barcode) where char_length(b.barcode) > 64);

-- Where the last questions about orders that had ended stopped; null: at the oldest.
alter table cabinet_syncs add ended_after text;

-- Finds the cards that a barcode is on. Kept by the cards themselves, so no writer has to think of it.
create table card_barcodes (
  client_id uuid not null,
  barcode text collate "C" not null,
  cabinet_id uuid not null,
  item_id bigint not null,
  primary key (client_id, barcode, cabinet_id, item_id),
  foreign key (client_id, cabinet_id, item_id) references marketplace_cards on delete cascade
);
create index card_barcodes_by_card on card_barcodes (client_id, cabinet_id, item_id);

create function index_card_barcodes() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from card_barcodes b using changed c
      where b.client_id = c.client_id and b.cabinet_id = c.cabinet_id and b.item_id = c.item_id
        and b.barcode <> all (c.barcodes);
  end if;
  insert into card_barcodes (client_id, barcode, cabinet_id, item_id)
    select distinct c.client_id, b.barcode, c.cabinet_id, c.item_id
      from changed c cross join unnest(c.barcodes) as b (barcode)
      order by 1, 2, 3, 4
    on conflict do nothing;
  return null;
end $$;
create trigger index_inserted after insert on marketplace_cards referencing new table as changed
  for each statement execute function index_card_barcodes();
create trigger index_updated after update on marketplace_cards referencing new table as changed
  for each statement execute function index_card_barcodes();

insert into card_barcodes (client_id, barcode, cabinet_id, item_id)
select distinct c.client_id, b.barcode, c.cabinet_id, c.item_id
from marketplace_cards c cross join unnest(c.barcodes) as b (barcode);
