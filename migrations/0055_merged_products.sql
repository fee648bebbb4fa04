-- Two products of a client that turned out to be one.

-- The product that this one became; its barcodes are barcodes of that one. Without a balance, so that nothing can be stored under it;
-- what is over and past keeps its barcode.
alter table products
  add column merged_into text collate "C" check (merged_into <> barcode),
  add foreign key (client_id, merged_into) references products;
create index products_merged on products (client_id, merged_into) where merged_into is not null;

-- Merged products are not counted any more.
create or replace function keep_counted_products() returns trigger language plpgsql as $$
begin
  insert into stock_versions as v (client_id, slot, version, products)
    select client_id, pg_backend_pid() % 16, version_step(),
      case tg_op when 'INSERT' then 1 else -1 end * count(*) filter (where merged_into is null)
    from changed group by client_id order by client_id
    on conflict (client_id, slot) do update set version = v.version + excluded.version, products = v.products + excluded.products;
  return null;
end $$;
create function keep_merged_products() returns trigger language plpgsql as $$
begin
  insert into stock_versions as v (client_id, slot, version, products)
    select client_id, pg_backend_pid() % 16, version_step(), sum(sign * (merged_into is null)::int)
    from (
      select client_id, merged_into, 1 as sign from changed union all select client_id, merged_into, -1 from removed
    ) p group by client_id order by client_id
    on conflict (client_id, slot) do update set version = v.version + excluded.version, products = v.products + excluded.products;
  return null;
end $$;
drop trigger version_update on products;
create trigger version_update after update on products referencing new table as changed old table as removed
  for each statement execute function keep_merged_products();

-- Picks of orders that are still here follow their goods.
create or replace function refuse_change_of_pick() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if exists (
      select from removed r left join after a using (client_id, task_id, scan_id)
      where a.order_id is null
        or (a.order_id, a.line, a.box_id, a.location_id, a.at, a.actor)
          is distinct from (r.order_id, r.line, r.box_id, r.location_id, r.at, r.actor)
        or a.barcode <> r.barcode and not exists (
          select from products p where p.client_id = r.client_id and p.barcode = r.barcode and p.merged_into = a.barcode)
        or r.marking_code is not null and a.marking_code is distinct from r.marking_code
    ) then
      raise exception 'picks are append-only: only undone_at and marks change' using errcode = 'restrict_violation';
    end if;
  elsif exists (
    select from removed r left join clients c on c.id = r.client_id
    where r.undone_at is null and c.mode is distinct from 'test'
  ) then
    raise exception 'picks are append-only: picks of live clients are undone first'
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- Ends a transaction that read goods before they were merged: it runs again and then finds the product that they became.
create function refuse_merged(client uuid, barcodes text[]) returns void language plpgsql as $$
begin
  if exists (
    select from products p where p.client_id = client and p.barcode = any (barcodes) and p.merged_into is not null
  ) then
    raise exception 'goods were merged meanwhile' using errcode = 'serialization_failure';
  end if;
end $$;

-- Photos may lie in a store outside of the database.

-- Null: the bytes are in the store, under the client and the hash.
alter table photos alter column bytes drop not null;
alter table photos add column size integer check (size between 1 and 2097152);
update photos set size = octet_length(bytes);
alter table photos alter column size set not null;
-- Photos that wait for the store. Without one all photos are here.
create index photos_here on photos (created_at, id) where bytes is not null;
create index photos_by_hash on photos (client_id, hash);

-- What the store is to delete: bytes that photos had there.
create table photo_leftovers (
  client_id uuid not null references clients,
  hash bytea not null,
  primary key (client_id, hash)
);
create function leave_photo_bytes() returns trigger language plpgsql as $$
begin
  insert into photo_leftovers (client_id, hash)
    select distinct client_id, hash from removed where bytes is null order by 1, 2
    on conflict (client_id, hash) do update set hash = excluded.hash; -- waits while the store deletes them
  return null;
end $$;
create trigger leave_bytes after delete on photos referencing old table as removed
  for each statement execute function leave_photo_bytes();

-- Finds the entry of a movement, whose photos stand in the list: both have one moment.
create index stock_entries_by_time on stock_entries (client_id, at);
