-- No date becomes two: a lot that is no longer where a pick put it leaves from where it is, and is given back once.

create or replace function move_lots_of_orders() returns trigger language plpgsql as $$
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

create or replace function return_lots_of_picks() returns trigger language plpgsql as $$
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
