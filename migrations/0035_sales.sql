-- Units by product and cabinet that buyers ordered, that left and that came back, by day and by month, so that the sales of a year
-- cost hardly more than those of two months. Triggers keep them, as other tallies.

create table sales_tallies (
  client_id uuid not null,
  span text not null check (span in ('day', 'month')),
  day date not null, -- the first of the span; orders count on the day of their creation, movements on their own
  cabinet_id uuid not null, -- zeros: the units came back without an order or a batch of a cabinet
  barcode text collate "C" not null, -- empty: of a card that has no barcode yet
  ordered bigint not null,
  cancelled bigint not null, -- of those ordered
  shipped bigint not null,
  returned bigint not null,
  primary key (client_id, span, day, cabinet_id, barcode)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- The same of all products, a row a day. Concurrent writers use different slots and so do not wait for one row; a figure is the sum
-- of the slots.
create table sales_days (
  client_id uuid not null,
  day date not null,
  cabinet_id uuid not null,
  slot smallint not null,
  ordered bigint not null,
  cancelled bigint not null,
  shipped bigint not null,
  returned bigint not null,
  primary key (client_id, day, cabinet_id, slot)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

create type sale_count as (
  client_id uuid, day date, cabinet_id uuid, barcode text, ordered bigint, cancelled bigint, shipped bigint, returned bigint
);

-- Writes rows in key order, so that two writers never wait for each other in a circle.
create function add_to_sales_tallies(rows sale_count[]) returns void language sql as $$
  insert into sales_tallies as t (client_id, span, day, cabinet_id, barcode, ordered, cancelled, shipped, returned)
    select r.client_id, s.span, s.day, r.cabinet_id, r.barcode collate "C",
      sum(r.ordered), sum(r.cancelled), sum(r.shipped), sum(r.returned)
      from unnest(rows) r, lateral (values ('day', r.day), ('month', month_of(r.day))) s (span, day)
      group by 1, 2, 3, 4, 5
      having (sum(r.ordered), sum(r.cancelled), sum(r.shipped), sum(r.returned)) <> (0, 0, 0, 0)
      order by 1, 2, 3, 4, 5
    on conflict (client_id, span, day, cabinet_id, barcode) do update set ordered = t.ordered + excluded.ordered,
      cancelled = t.cancelled + excluded.cancelled, shipped = t.shipped + excluded.shipped, returned = t.returned + excluded.returned;
  insert into sales_days as t (client_id, day, cabinet_id, slot, ordered, cancelled, shipped, returned)
    select r.client_id, r.day, r.cabinet_id, pg_backend_pid() % 16, sum(r.ordered), sum(r.cancelled), sum(r.shipped), sum(r.returned)
      from unnest(rows) r
      group by 1, 2, 3
      having (sum(r.ordered), sum(r.cancelled), sum(r.shipped), sum(r.returned)) <> (0, 0, 0, 0)
      order by 1, 2, 3
    on conflict (client_id, day, cabinet_id, slot) do update set ordered = t.ordered + excluded.ordered,
      cancelled = t.cancelled + excluded.cancelled, shipped = t.shipped + excluded.shipped, returned = t.returned + excluded.returned;
$$;

-- What a line of an order counts for; nothing while its cabinet is observed.
create function line_sales(o orders, l order_lines, sign integer) returns setof sale_count language sql stable as $$
  select o.client_id, moscow_day(o.created_at), o.cabinet_id, coalesce(l.barcode, ''),
    (sign * l.quantity)::bigint, case when o.status = 'CANCELLED' then sign * l.quantity else 0 end::bigint, 0::bigint, 0::bigint
    where not o.observed
$$;

-- What a movement counts for: units came back to the cabinet of their order, else of their batch.
create function movement_sales(m stock_movements) returns setof sale_count language sql stable as $$
  select m.client_id, moscow_day(m.at), coalesce(
      (select o.cabinet_id from orders o where o.client_id = m.client_id and o.id = m.order_id),
      (select s.cabinet_id from shipments s where s.client_id = m.client_id and s.id = m.shipment_id),
      (select b.cabinet_id from return_batches b where b.client_id = m.client_id and b.id = m.return_id),
      '00000000-0000-0000-0000-000000000000'),
    m.barcode, 0::bigint, 0::bigint,
    case m.kind when 'shipment' then -m.delta else 0 end, case m.kind when 'return' then m.delta else 0 end
    where m.kind in ('shipment', 'return')
$$;

-- All that the tallies add up.
create view sale_counts as
  select f.* from orders o join order_lines l on l.client_id = o.client_id and l.order_id = o.id, line_sales(o, l, 1) f
  union all
  select f.* from stock_movements m, movement_sales(m) f where m.kind in ('shipment', 'return');

create function tally_sales_of_lines() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform add_to_sales_tallies(array(
    select f from changed l join orders o on o.client_id = l.client_id and o.id = l.order_id, line_sales(o, l::order_lines, sign) f));
  return null;
end $$;
create trigger sales_insert after insert on order_lines referencing new table as changed
  for each statement execute function tally_sales_of_lines();
create trigger sales_delete after delete on order_lines referencing old table as changed
  for each statement execute function tally_sales_of_lines();

-- For each row, where goods or units changed: picks change a line as well, and count for nothing here.
create function tally_sales_of_line() returns trigger language plpgsql as $$
begin
  perform add_to_sales_tallies(array(
    select f from orders o, (values (new, 1), (old, -1)) l (line, sign), line_sales(o, l.line, l.sign) f
      where o.client_id = new.client_id and o.id = new.order_id));
  return null;
end $$;
create trigger sales_update after update of barcode, quantity on order_lines
  for each row when ((new.barcode, new.quantity) is distinct from (old.barcode, old.quantity))
  execute function tally_sales_of_line();

-- An order that was cancelled, that a marketplace dates anew, or that is observed no more. Old and new rows that count the same
-- fall out before their lines are read. An order is made before its lines, and its lines are deleted before it.
create function tally_sales_of_orders() returns trigger language plpgsql as $$
begin
  perform add_to_sales_tallies(array(
    select (o.client_id, o.day, o.cabinet_id, coalesce(l.barcode, ''), o.sign * l.quantity,
        case when o.cancelled then o.sign * l.quantity else 0 end, 0, 0)::sale_count
      from (
        select client_id, id, cabinet_id, moscow_day(created_at) as day, status = 'CANCELLED' as cancelled, sum(sign) as sign
          from (
            select client_id, id, cabinet_id, created_at, status, 1 as sign from new_rows where not observed
            union all
            select client_id, id, cabinet_id, created_at, status, -1 from old_rows where not observed
          ) c
          group by 1, 2, 3, 4, 5 having sum(sign) <> 0
      ) o
      join order_lines l on l.client_id = o.client_id and l.order_id = o.id));
  return null;
end $$;
create trigger sales_update after update on orders referencing old table as old_rows new table as new_rows
  for each statement execute function tally_sales_of_orders();

create function tally_sales_of_movements() returns trigger language plpgsql as $$
begin
  if exists (select from changed where kind in ('shipment', 'return')) then
    perform add_to_sales_tallies(array(select f from changed m, movement_sales(m::stock_movements) f));
  end if;
  return null;
end $$;
create trigger sales_insert after insert on stock_movements referencing new table as changed
  for each statement execute function tally_sales_of_movements();

insert into sales_tallies (client_id, span, day, cabinet_id, barcode, ordered, cancelled, shipped, returned)
  select c.client_id, s.span, s.day, c.cabinet_id, c.barcode, sum(c.ordered), sum(c.cancelled), sum(c.shipped), sum(c.returned)
    from sale_counts c, lateral (values ('day', c.day), ('month', month_of(c.day))) s (span, day)
    group by 1, 2, 3, 4, 5
    having (sum(c.ordered), sum(c.cancelled), sum(c.shipped), sum(c.returned)) <> (0, 0, 0, 0);
insert into sales_days (client_id, day, cabinet_id, slot, ordered, cancelled, shipped, returned)
  select client_id, day, cabinet_id, 0, sum(ordered), sum(cancelled), sum(shipped), sum(returned)
    from sales_tallies where span = 'day' group by 1, 2, 3;
