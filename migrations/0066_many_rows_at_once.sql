-- A statement that brings many rows asks for them together, or by an index.

-- The rule of orders that are inserted is asked once a statement: a copy of a sandbox inserts a thousand orders, and a look at the shipment
-- of each was a tenth of the copy. Of changed orders it stays asked for each whose shipment changed: few, and of no other change.
create function keep_inserted_observed_apart() returns trigger language plpgsql as $$
begin
  if exists (
    select from added a join shipments s on s.client_id = a.client_id and s.id = a.shipment_id
    where s.observed <> a.observed
  ) then
    raise exception 'what is observed and what is not never meet in a shipment' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
drop trigger observed_apart_inserted on orders;
create trigger observed_apart_inserted after insert on orders referencing new table as added
  for each statement execute function keep_inserted_observed_apart();

-- Barcodes are compared byte by byte everywhere else, and a comparison of both kinds is one of bytes: no index of this table served it, so
-- to look up the spellings of ten thousand goods read each of them ten thousand times.
alter table barcode_aliases
  alter column spelling type text collate "C",
  alter column barcode type text collate "C";
