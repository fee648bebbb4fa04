-- What lies in storage now, as sums that are kept where it changes: metrics add up the slots of a client and read neither
-- balances nor boxes.

alter table stock_versions
  add column units bigint not null default 0,
  add column in_question bigint not null default 0,
  add column goods bigint not null default 0,   -- barcodes with units
  add column boxes bigint not null default 0,   -- with contents
  add column pallets bigint not null default 0; -- with such boxes

-- Lines of a box, and boxes with contents of a pallet. Triggers keep it.
create table fill_counts (
  client_id uuid not null references clients,
  place_id uuid not null, -- a box or a pallet
  held bigint not null,
  primary key (client_id, place_id)
) with (fillfactor = 70);

-- A version grows by chance: when a failover loses changes, the changes that come in their place lead to another version, and no
-- process takes the answer that it remembers for theirs.
create function version_step() returns bigint language sql volatile as $$
  select 1 + floor(random() * 1000000)::bigint
$$;
create or replace function bump_stock_version() returns trigger language plpgsql as $$
begin
  insert into stock_versions as v (client_id, slot, version)
    select client_id, pg_backend_pid() % 16, version_step() from changed group by client_id order by client_id
    on conflict (client_id, slot) do update set version = v.version + excluded.version;
  return null;
end $$;
create or replace function show_or_hide_reports() returns trigger language plpgsql as $$
begin
  insert into stock_versions as v (client_id, slot, version)
    values (new.client_id, pg_backend_pid() % 16, version_step())
    on conflict (client_id, slot) do update set version = v.version + excluded.version;
  perform gather_reported(array_agg(m.client_id), array_agg(m.barcode))
    from (
      select distinct client_id, barcode from marketplace_stock
      where client_id = new.client_id and cabinet_id = new.id
    ) m;
  return null;
end $$;

create type stored_change as (
  client_id uuid, units bigint, in_question bigint, goods bigint, boxes bigint, pallets bigint);
create type fill_change as (client_id uuid, place_id uuid, change bigint);

create function add_to_stored(changes stored_change[]) returns void language sql as $$
  insert into stock_versions as v (client_id, slot, version, units, in_question, goods, boxes, pallets)
    select client_id, pg_backend_pid() % 16, version_step(), sum(units), sum(in_question), sum(goods), sum(boxes), sum(pallets)
    from unnest(changes) group by client_id order by client_id
    on conflict (client_id, slot) do update set version = v.version + excluded.version, units = v.units + excluded.units,
      in_question = v.in_question + excluded.in_question, goods = v.goods + excluded.goods,
      boxes = v.boxes + excluded.boxes, pallets = v.pallets + excluded.pallets
$$;

create function keep_stored_units() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_stored(array(
      select (client_id, quantity, in_question, (quantity > 0)::int, 0, 0)::stored_change from added));
  elsif tg_op = 'DELETE' then
    perform add_to_stored(array(
      select (client_id, -quantity, -in_question, -(quantity > 0)::int, 0, 0)::stored_change from removed));
  else
    perform add_to_stored(array(
      select (client_id, quantity, in_question, (quantity > 0)::int, 0, 0)::stored_change from added
      union all
      select (client_id, -quantity, -in_question, -(quantity > 0)::int, 0, 0)::stored_change from removed));
  end if;
  return null;
end $$;
drop trigger version_insert on stock_balances;
drop trigger version_update on stock_balances;
drop trigger version_delete on stock_balances;
create trigger version_insert after insert on stock_balances referencing new table as added
  for each statement execute function keep_stored_units();
create trigger version_update after update on stock_balances referencing new table as added old table as removed
  for each statement execute function keep_stored_units();
create trigger version_delete after delete on stock_balances referencing old table as removed
  for each statement execute function keep_stored_units();

-- Counts places up or down. Answers with those that were empty and no longer are (1), or the other way round (-1).
create function count_fill(changes fill_change[]) returns fill_change[] language sql as $$
  with changes as (
    select client_id, place_id, sum(change) as change from unnest(changes) group by 1, 2 having sum(change) <> 0
  ), counted as (
    insert into fill_counts as f (client_id, place_id, held)
      select client_id, place_id, change from changes order by client_id, place_id
      on conflict (client_id, place_id) do update set held = f.held + excluded.held
      returning f.client_id, f.place_id, f.held
  )
  select coalesce(array_agg((client_id, place_id, turned)::fill_change), '{}')
  from counted join changes using (client_id, place_id),
    lateral (select (held > 0)::int - (held > change)::int) t (turned)
  where turned <> 0
$$;

-- Boxes on these pallets became filled or empty.
create function keep_filled_pallets(boxes fill_change[]) returns void language plpgsql as $$
begin
  perform add_to_stored(array(
    select (client_id, 0, 0, 0, 0, change)::stored_change from unnest(count_fill(boxes))));
end $$;

-- Whoever changes contents locks in this order: balances, boxes, figures, versions, counts. Who moves a box begins with boxes.
create or replace function gather_changed_boxes() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'boxes' then
    perform gather_boxes(array_agg(c.client_id), array_agg(c.barcode))
      from (
        select distinct i.client_id, i.barcode
        from changed n
        join removed o on o.client_id = n.client_id and o.id = n.id
        join box_contents i on i.client_id = n.client_id and i.box_id = n.id
        where o.pallet_id is distinct from n.pallet_id
      ) c;
  else
    -- The boxes can't move meanwhile: whoever moves one must see what is in it, and which pallet it leaves.
    perform from boxes x where (x.client_id, x.id) in (select client_id, box_id from changed)
      order by x.client_id, x.id for share;
    perform gather_boxes(array_agg(c.client_id), array_agg(c.barcode))
      from (select distinct client_id, barcode from changed) c;
  end if;
  return null;
end $$;

create function keep_filled_boxes() returns trigger language plpgsql as $$
declare
  turned fill_change[];
begin
  turned := count_fill(array(
    select (client_id, box_id, case tg_op when 'INSERT' then 1 else -1 end)::fill_change from changed));
  if turned = '{}' then return null; end if;
  perform add_to_stored(array(
    select (client_id, 0, 0, 0, change, 0)::stored_change from unnest(turned)));
  perform keep_filled_pallets(array(
    select (t.client_id, x.pallet_id, t.change)::fill_change
    from unnest(turned) t join boxes x on x.client_id = t.client_id and x.id = t.place_id
    where x.pallet_id is not null));
  return null;
end $$;
-- Triggers fire in the order of their names: these after those of figures and versions.
create trigger z_fill_insert after insert on box_contents referencing new table as changed
  for each statement execute function keep_filled_boxes();
create trigger z_fill_delete after delete on box_contents referencing old table as changed
  for each statement execute function keep_filled_boxes();

create function keep_moved_boxes() returns trigger language plpgsql as $$
begin
  perform keep_filled_pallets(array(
    select (n.client_id, p.id, p.change)::fill_change
    from changed n
    join removed o on o.client_id = n.client_id and o.id = n.id
    join fill_counts f on f.client_id = n.client_id and f.place_id = n.id and f.held > 0,
      lateral (values (o.pallet_id, -1), (n.pallet_id, 1)) p (id, change)
    where o.pallet_id is distinct from n.pallet_id and p.id is not null));
  return null;
end $$;
create trigger z_fill_update after update on boxes referencing new table as changed old table as removed
  for each statement execute function keep_moved_boxes();

-- Of what is there already. A version stays as it is: the answers that were made for it are still right.
insert into fill_counts (client_id, place_id, held)
  select client_id, box_id, count(*) from box_contents group by 1, 2
  union all
  select client_id, pallet_id, count(*) from boxes x
  where pallet_id is not null
    and exists (select from box_contents c where c.client_id = x.client_id and c.box_id = x.id)
  group by 1, 2;
insert into stock_versions as v (client_id, slot, version, units, in_question, goods, boxes, pallets)
  select client_id, 0, 0, sum(units), sum(in_question), sum(goods), sum(boxes), sum(pallets) from (
    select client_id, quantity as units, in_question, (quantity > 0)::int as goods, 0 as boxes, 0 as pallets
    from stock_balances
    union all
    select f.client_id, 0, 0, 0, (x.id is not null)::int, (x.id is null)::int
    from fill_counts f left join boxes x on x.client_id = f.client_id and x.id = f.place_id
  ) s group by client_id
  on conflict (client_id, slot) do update set units = excluded.units, in_question = excluded.in_question,
    goods = excluded.goods, boxes = excluded.boxes, pallets = excluded.pallets;
