-- Storage: at which location, on which pallet and in which box units lie. How many there are, stock_balances says.

-- Locations belong to a warehouse and are never deleted; what lies there belongs to clients.
create table locations (
  id uuid primary key,
  warehouse_code text not null references warehouses,
  code text collate "C" not null,
  zone text collate "C" not null default '',
  walk_order integer not null default 0,
  active boolean not null default true,
  created_at timestamptz(3) not null,
  unique (warehouse_code, code)
);
create index locations_by_walk on locations (warehouse_code, zone, walk_order, code);
create index locations_by_code on locations (code);

create table pallets (
  client_id uuid not null references clients,
  id uuid not null,
  location_id uuid,
  created_at timestamptz(3) not null,
  primary key (client_id, id)
);
create index pallets_by_id on pallets (id);
create index pallets_by_location on pallets (location_id) where location_id is not null;
create index pallets_by_time on pallets (client_id, created_at desc, id desc);

create table boxes (
  client_id uuid not null references clients,
  id uuid not null,
  pallet_id uuid,
  location_id uuid, -- of a box on no pallet; a pallet takes its boxes along
  created_at timestamptz(3) not null,
  primary key (client_id, id),
  foreign key (client_id, pallet_id) references pallets,
  check (pallet_id is null or location_id is null)
);
create index boxes_by_id on boxes (id);
create index boxes_by_location on boxes (location_id) where location_id is not null;
create index boxes_by_pallet on boxes (client_id, pallet_id);
create index boxes_by_time on boxes (client_id, created_at desc, id desc);

create trigger version_insert after insert on boxes referencing new table as changed
  for each statement execute function bump_stock_version();
create trigger version_update after update on boxes referencing new table as changed
  for each statement execute function bump_stock_version();
create trigger version_delete after delete on boxes referencing old table as changed
  for each statement execute function bump_stock_version();

create table box_contents (
  client_id uuid not null,
  box_id uuid not null,
  barcode text collate "C" not null,
  quantity bigint not null check (quantity > 0),
  primary key (client_id, box_id, barcode),
  foreign key (client_id, box_id) references boxes,
  foreign key (client_id, barcode) references products
);
create index box_contents_by_barcode on box_contents (client_id, barcode, box_id);

create trigger version_insert after insert on box_contents referencing new table as changed
  for each statement execute function bump_stock_version();
create trigger version_update after update on box_contents referencing new table as changed
  for each statement execute function bump_stock_version();
create trigger version_delete after delete on box_contents referencing old table as changed
  for each statement execute function bump_stock_version();

-- In how many boxes and on how many pallets goods lie. Whoever changes contents locks in this order: balances, boxes, figures,
-- versions, counts. Who moves a box begins with boxes.
create function gather_changed_boxes() returns trigger language plpgsql as $$
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
create trigger figures_insert after insert on box_contents referencing new table as changed
  for each statement execute function gather_changed_boxes();
create trigger figures_delete after delete on box_contents referencing old table as changed
  for each statement execute function gather_changed_boxes();
create trigger figures_update after update on boxes referencing new table as changed old table as removed
  for each statement execute function gather_changed_boxes();

-- Lines of a box, and boxes with contents of a pallet. Triggers keep it.
create table fill_counts (
  client_id uuid not null references clients,
  place_id uuid not null, -- a box or a pallet
  held bigint not null,
  primary key (client_id, place_id)
) with (fillfactor = 70);

create type fill_change as (client_id uuid, place_id uuid, change bigint);

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

-- Units that lie at a location outside of boxes.
create table location_contents (
  client_id uuid not null references clients,
  location_id uuid not null,
  barcode text collate "C" not null,
  quantity bigint not null check (quantity > 0),
  primary key (client_id, location_id, barcode),
  foreign key (client_id, barcode) references products
);
create index location_contents_by_barcode on location_contents (client_id, barcode, location_id);
create index location_contents_by_location on location_contents (location_id);

-- Numbers on the labels of boxes and pallets (SSCC), unique in the whole warehouse.
create sequence storage_serials;
create table storage_numbers (
  sscc text collate "C" primary key,
  client_id uuid not null,
  kind text not null check (kind in ('box', 'pallet')),
  object_id uuid not null
);
create index storage_numbers_by_object on storage_numbers (client_id, object_id);

-- Scans that changed a box: the same scan again changes nothing.
create table storage_scans (
  client_id uuid not null,
  scan_id text not null,
  box_id uuid not null,
  at timestamptz(3) not null,
  actor text not null,
  primary key (client_id, box_id, scan_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- Scans that changed what lies at a location: the same scan again changes nothing.
create table location_scans (
  client_id uuid not null,
  location_id uuid not null,
  scan_id text not null,
  at timestamptz(3) not null,
  actor text not null,
  primary key (client_id, location_id, scan_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
