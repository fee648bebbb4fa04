-- Lots: units of goods by expiry date. They divide what stock_balances counts; the database keeps the division equal to it.

insert into reasons (kind, code, label) values ('correction', 'EXPIRED', 'Истёк срок годности');

-- Goods whose expiry dates are kept. Whoever changes lots of goods holds this row, and their balance before it.
create table lot_goods (
  client_id uuid not null references clients,
  barcode text collate "C" not null,
  warn_days integer not null check (warn_days between 0 and 3650), -- fewer days left: the goods expire soon
  expired_units bigint not null default 0 check (expired_units >= 0), -- expired units that were put in question
  changes bigint not null default 0,
  primary key (client_id, barcode),
  foreign key (client_id, barcode) references products
) with (fillfactor = 70);

-- Units of a lot at a place. The date -infinity and no number are the lot «unknown»: stock from before dates were kept.
create table stock_lots (
  client_id uuid not null,
  barcode text collate "C" not null,
  place text not null check (place in ('box', 'location', 'loose', 'picked')),
  place_id uuid not null default '00000000-0000-0000-0000-000000000000', -- of a box or location
  expires_on date not null default '-infinity',
  number text collate "C" not null default '' check (length(number) <= 20),
  quantity bigint not null check (quantity > 0),
  primary key (client_id, barcode, place, place_id, expires_on, number),
  foreign key (client_id, barcode) references lot_goods on delete cascade,
  check ((place in ('box', 'location')) = (place_id <> '00000000-0000-0000-0000-000000000000'))
) with (fillfactor = 70);
create index stock_lots_by_date on stock_lots (client_id, expires_on, barcode);

-- The lot of the units of a scan, so that undoing it, a return or the end of a count finds the lot again.
create table scan_lots (
  client_id uuid not null,
  kind text not null check (kind in ('receipt', 'pick', 'count')),
  object_id uuid not null, -- the receipt, the picking task or the count
  scan_id text not null,
  barcode text collate "C" not null,
  order_id uuid,
  expires_on date not null,
  number text collate "C" not null,
  primary key (client_id, kind, object_id, scan_id),
  foreign key (client_id, barcode) references lot_goods on delete cascade,
  check ((kind = 'pick') = (order_id is not null))
);
create index scan_lots_by_order on scan_lots (client_id, order_id, barcode) where order_id is not null;
create index scan_lots_by_goods on scan_lots (client_id, barcode);

-- In which order units leave where nobody names their lot: expired ones, unknown ones, then first expired first.
create function lot_turn(expires_on date, day date) returns integer language sql immutable as $$
  select case when expires_on = '-infinity' then 1 when expires_on < day then 0 else 2 end
$$;

-- Holds the lots of goods, in the order of all verbs: balances first. At the end of the transaction they are settled.
create function hold_lots(clients uuid[], barcodes text[]) returns void language plpgsql as $$
begin
  if clients is null or not exists (
    select from unnest(clients, barcodes) c (client_id, barcode) join lot_goods g using (client_id, barcode)
  ) then return; end if;
  perform from stock_balances b
    where (b.client_id, b.barcode) in (
      select g.client_id, g.barcode from unnest(clients, barcodes) c (client_id, barcode)
      join lot_goods g using (client_id, barcode))
    order by b.client_id, b.barcode for update;
  perform from lot_goods g
    where (g.client_id, g.barcode) in (select * from unnest(clients, barcodes))
    order by g.client_id, g.barcode for no key update;
  update lot_goods g set changes = changes + 1
    where (g.client_id, g.barcode) in (select * from unnest(clients, barcodes));
end $$;

-- Adds units to a lot at a place, or takes as many as are there.
create function change_lot(client uuid, code text, at_place text, at_id uuid, expires date, batch text, change bigint)
  returns void language plpgsql as $$
begin
  if change > 0 then
    insert into stock_lots as l (client_id, barcode, place, place_id, expires_on, number, quantity)
      values (client, code, at_place, at_id, expires, batch, change)
      on conflict (client_id, barcode, place, place_id, expires_on, number)
      do update set quantity = l.quantity + excluded.quantity;
    return;
  end if;
  delete from stock_lots where client_id = client and barcode = code and place = at_place and place_id = at_id
    and expires_on = expires and number = batch and quantity <= -change;
  if found then return; end if;
  update stock_lots set quantity = quantity + change where client_id = client and barcode = code
    and place = at_place and place_id = at_id and expires_on = expires and number = batch;
end $$;

-- Makes the lots of goods at each place as many as the units there. What lots one place has too many fill others that have
-- too few; what is missing then is unknown, and what is too much leaves, in the order of lot_turn.
create function settle_lots(client uuid, code text) returns void language plpgsql as $$
declare
  total bigint;
  day date;
  stored bigint;
  picked bigint;
begin
  if not exists (select from lot_goods where client_id = client and barcode = code) then return; end if;
  select quantity, moscow_day(updated_at) into total, day from stock_balances
    where client_id = client and barcode = code;
  select coalesce(sum(quantity), 0) into stored from (
    select quantity from box_contents where client_id = client and barcode = code
    union all select quantity from location_contents where client_id = client and barcode = code) s;
  select coalesce(sum(quantity), 0) into picked from stock_lots
    where client_id = client and barcode = code and place = 'picked';
  picked := least(picked, greatest(coalesce(total, 0) - stored, 0));

  with wanted (place, place_id, units) as (
    select 'box', box_id, quantity from box_contents where client_id = client and barcode = code
    union all select 'location', location_id, quantity from location_contents
      where client_id = client and barcode = code
    union all values ('picked', '00000000-0000-0000-0000-000000000000'::uuid, picked),
      ('loose', '00000000-0000-0000-0000-000000000000', greatest(coalesce(total, 0) - stored - picked, 0))
  ), lots as (
    select * from stock_lots where client_id = client and barcode = code
  ), places as materialized (
    select place, place_id, coalesce(w.units, 0) - coalesce(k.units, 0) as lacks
    from wanted w
    full join (select place, place_id, sum(quantity) as units from lots group by 1, 2) k using (place, place_id)
    where coalesce(w.units, 0) <> coalesce(k.units, 0)
  ), taken as materialized (
    select *, least(quantity, -lacks - before) as units from (
      select l.*, p.lacks, sum(l.quantity) over (
          partition by place, place_id order by lot_turn(l.expires_on, day), l.expires_on, l.number
        ) - l.quantity as before
      from lots l join places p using (place, place_id) where p.lacks < 0
    ) t where before < -lacks
  ), pool as (
    select expires_on, number, units, sum(units) over (
        order by lot_turn(expires_on, day) desc, expires_on desc, number desc, place, place_id
      ) - units as begins
    from taken
  ), gaps as (
    select place, place_id, lacks, sum(lacks) over (order by place, place_id) - lacks as begins
    from places where lacks > 0
  ), moved as (
    select g.place, g.place_id, p.expires_on, p.number,
      least(g.begins + g.lacks, p.begins + p.units) - greatest(g.begins, p.begins) as units
    from gaps g join pool p on p.begins < g.begins + g.lacks and g.begins < p.begins + p.units
    union all
    select place, place_id, '-infinity', '',
      lacks - greatest(0, least(lacks, (select coalesce(sum(units), 0) from taken) - begins))
    from gaps
  ), gone as (
    delete from stock_lots l using taken t
    where l.client_id = client and l.barcode = code and l.place = t.place and l.place_id = t.place_id
      and l.expires_on = t.expires_on and l.number = t.number and t.units = t.quantity
  ), lessened as (
    update stock_lots l set quantity = l.quantity - t.units from taken t
    where l.client_id = client and l.barcode = code and l.place = t.place and l.place_id = t.place_id
      and l.expires_on = t.expires_on and l.number = t.number and t.units < t.quantity
  )
  insert into stock_lots as l (client_id, barcode, place, place_id, expires_on, number, quantity)
    select client, code, place, place_id, expires_on, number, sum(units) from moved
    group by 3, 4, 5, 6 having sum(units) > 0
    on conflict (client_id, barcode, place, place_id, expires_on, number)
    do update set quantity = l.quantity + excluded.quantity;

  update lot_goods g set expired_units = e.units
    from (
      select coalesce(sum(quantity), 0) as units from stock_lots where client_id = client and barcode = code
        and place <> 'picked' and expires_on < day and expires_on > '-infinity'
    ) e
    where g.client_id = client and g.barcode = code and g.expired_units > e.units;
end $$;

create function settle_held_lots() returns trigger language plpgsql as $$
begin
  perform settle_lots(new.client_id, new.barcode);
  return null;
end $$;
create constraint trigger settle_inserted after insert on lot_goods deferrable initially deferred
  for each row execute function settle_held_lots();
create constraint trigger settle_changed after update on lot_goods deferrable initially deferred
  for each row when (old.changes <> new.changes) execute function settle_held_lots();

-- Whatever changes how many units there are, or where they lie, holds their lots.
create function hold_changed_lots() returns trigger language plpgsql as $$
begin
  if not exists (select from changed join lot_goods using (client_id, barcode)) then return null; end if;
  perform hold_lots(array_agg(c.client_id), array_agg(c.barcode))
    from (select distinct client_id, barcode from changed join lot_goods using (client_id, barcode)) c;
  return null;
end $$;
create trigger lots_insert after insert on box_contents referencing new table as changed
  for each statement execute function hold_changed_lots();
create trigger lots_update after update on box_contents referencing new table as changed
  for each statement execute function hold_changed_lots();
create trigger lots_delete after delete on box_contents referencing old table as changed
  for each statement execute function hold_changed_lots();
create trigger lots_insert after insert on location_contents referencing new table as changed
  for each statement execute function hold_changed_lots();
create trigger lots_update after update on location_contents referencing new table as changed
  for each statement execute function hold_changed_lots();
create trigger lots_delete after delete on location_contents referencing old table as changed
  for each statement execute function hold_changed_lots();

-- The ledger names orders, and orders have picks: their lots leave with a shipment and come back with a return. What is written
-- off is what has expired, wherever it lies.
create function move_lots_of_orders() returns trigger language plpgsql as $$
declare
  nowhere uuid := '00000000-0000-0000-0000-000000000000';
  lot record;
begin
  if not exists (select from changed join lot_goods using (client_id, barcode)) then return null; end if;
  perform hold_lots(array_agg(c.client_id), array_agg(c.barcode))
    from (select distinct client_id, barcode from changed join lot_goods using (client_id, barcode)) c;
  for lot in
    select c.client_id, c.barcode, c.kind, c.delta, s.expires_on, s.number
    from changed c
    join lot_goods g using (client_id, barcode)
    cross join lateral (
      select s.expires_on, s.number, row_number() over (order by s.expires_on, s.number, s.scan_id) as n
      from scan_lots s where s.client_id = c.client_id and s.order_id = c.order_id and s.barcode = c.barcode
    ) s
    cross join lateral (
      select coalesce(sum(m.delta), 0) - greatest(c.delta, 0) as units from stock_movements m
      where c.kind = 'return' and m.client_id = c.client_id and m.order_id = c.order_id
        and m.barcode = c.barcode and m.kind = 'return'
    ) before
    where c.order_id is not null and c.kind in ('shipment', 'return')
      and (c.kind = 'shipment' or s.n > before.units and s.n <= before.units + abs(c.delta))
  loop
    if lot.kind = 'return' then
      perform change_lot(lot.client_id, lot.barcode, 'loose', nowhere, lot.expires_on, lot.number,
        case when lot.delta > 0 then 1 else -1 end);
    else
      -- Where boxes and units disagree, the lot of a picked unit may lie elsewhere by now.
      perform change_lot(lot.client_id, lot.barcode, l.place, l.place_id, lot.expires_on, lot.number, -1)
        from (
          select l.place, l.place_id from stock_lots l
          where l.client_id = lot.client_id and l.barcode = lot.barcode
            and l.expires_on = lot.expires_on and l.number = lot.number
          order by l.place = 'picked' desc, l.place = 'loose' desc, l.place, l.place_id limit 1
        ) l;
    end if;
  end loop;
  for lot in
    select s.*, least(s.quantity, c.units - s.before) as leaving
    from (
      select client_id, barcode, -sum(delta) as units, moscow_day(max(at)) as day from changed
      where kind = 'write_off' group by 1, 2
    ) c
    cross join lateral (
      select l.*, sum(l.quantity) over (order by l.expires_on, l.number, l.place, l.place_id) - l.quantity as before
      from stock_lots l where l.client_id = c.client_id and l.barcode = c.barcode and l.place <> 'picked'
        and l.expires_on > '-infinity' and l.expires_on < c.day
    ) s
    where s.before < c.units
  loop
    perform change_lot(lot.client_id, lot.barcode, lot.place, lot.place_id, lot.expires_on, lot.number,
      -lot.leaving::bigint);
  end loop;
  return null;
end $$;
create trigger lots_insert after insert on stock_movements referencing new table as changed
  for each statement execute function move_lots_of_orders();

-- A pick that is undone gives its lot back to where the unit was taken from.
create function return_lots_of_picks() returns trigger language plpgsql as $$
declare
  nowhere uuid := '00000000-0000-0000-0000-000000000000';
  lot record;
begin
  if not exists (select from changed n where n.undone_at is not null) then return null; end if;
  perform hold_lots(array_agg(u.client_id), array_agg(u.barcode))
    from (
      select distinct s.client_id, s.barcode
      from changed n join scan_lots s on s.client_id = n.client_id and s.kind = 'pick'
        and s.object_id = n.task_id and s.scan_id = n.scan_id
      where n.undone_at is not null
    ) u;
  for lot in
    delete from scan_lots s using changed n
    where n.undone_at is not null and s.client_id = n.client_id and s.kind = 'pick'
      and s.object_id = n.task_id and s.scan_id = n.scan_id
    returning s.*, n.box_id, n.location_id
  loop
    -- Where boxes and units disagree, it may have been given to another place: then nothing has two dates.
    if not exists (
      select from stock_lots l where l.client_id = lot.client_id and l.barcode = lot.barcode and l.place = 'picked'
        and l.expires_on = lot.expires_on and l.number = lot.number
    ) then continue; end if;
    perform change_lot(lot.client_id, lot.barcode, 'picked', nowhere, lot.expires_on, lot.number, -1);
    perform change_lot(lot.client_id, lot.barcode,
      case when lot.box_id is not null then 'box' when lot.location_id is not null then 'location' else 'loose' end,
      coalesce(lot.box_id, lot.location_id, nowhere), lot.expires_on, lot.number, 1);
  end loop;
  return null;
end $$;
create trigger lots_update after update on picks referencing new table as changed
  for each statement execute function return_lots_of_picks();
