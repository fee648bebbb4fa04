-- What metrics add up of receipts, shipments and misses, by day and by month, so that a year costs hardly more than two
-- months. Triggers keep it, so no way of writing these tables bypasses it.
create table warehouse_tallies (
  client_id uuid not null,
  figure text not null check (figure in
    ('receipts', 'expected_units', 'accepted_units', 'cancelled_receipts', 'shortage',
     'closed_shipments', 'shipped_units', 'not_found')),
  reason text not null, -- of a shortage or of a miss; empty for the other figures
  span text not null check (span in ('day', 'month')),
  day date not null, -- the first of the span
  amount bigint not null, -- units or, of receipts and shipments, their number
  primary key (client_id, span, day, figure, reason)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- What one row counts for, and when.
create type warehouse_figure as (client_id uuid, figure text, reason text, at timestamptz, amount bigint);

create function line_figures(r receipts, i receipt_items) returns setof warehouse_figure language sql stable as $$
  select r.client_id, 'shortage', i.shortage_reason, r.completed_at::timestamptz, i.expected_qty - i.accepted_qty
    where i.shortage_reason is not null and r.completed_at is not null and r.cancelled_at is null
$$;

-- A receipt counts from its completion on. A cancelled one counts as cancelled alone.
create function receipt_figures(r receipts) returns setof warehouse_figure language sql stable as $$
  select r.client_id, f.figure, '', r.completed_at::timestamptz, f.amount
    from (values ('receipts', 1::bigint), ('expected_units', r.expected_qty), ('accepted_units', r.accepted_qty)) f (figure, amount)
    where r.completed_at is not null and r.cancelled_at is null
  union all
  select r.client_id, 'cancelled_receipts', '', r.completed_at::timestamptz, 1 where r.cancelled_at is not null
  union all
  select f.* from receipt_items i, line_figures(r, i) f
    where i.client_id = r.client_id and i.receipt_id = r.id and i.shortage_reason is not null
$$;

create function shipment_figures(client_id uuid, closed_at timestamptz, units bigint, observed boolean)
  returns setof warehouse_figure language sql stable as $$
  select $1, f.figure, '', $2, f.amount
    from (values ('closed_shipments', 1::bigint), ('shipped_units', $3)) f (figure, amount)
    where $2 is not null and not $4
$$;

create function miss_figures(m pick_misses) returns setof warehouse_figure language sql stable as $$
  select m.client_id, 'not_found', m.reason, m.at::timestamptz, m.units::bigint where m.at is not null
$$;

-- All that the tallies add up. Conditions and moments are those of the indexes by which metrics read a part of a day.
create view warehouse_figures as
  select r.client_id, f.figure, f.reason, r.completed_at as at, f.amount
    from receipts r, receipt_figures(r) f where r.completed_at is not null
  union all
  select s.client_id, f.figure, f.reason, s.closed_at, f.amount
    from shipments s, shipment_figures(s.client_id, s.closed_at, s.units, s.observed) f where s.closed_at is not null and not s.observed
  union all
  select m.client_id, f.figure, f.reason, m.at, f.amount from pick_misses m, miss_figures(m) f;

-- Writes rows in key order, so that two statements never wait for each other in a circle.
create function add_to_warehouse_tallies(added warehouse_figure[], removed warehouse_figure[])
  returns void language plpgsql as $$
begin
  if cardinality(added) = 0 and cardinality(removed) = 0 then return; end if;
  insert into warehouse_tallies as t (client_id, figure, reason, span, day, amount)
    select c.client_id, c.figure, c.reason, s.span, s.day, sum(c.amount)
      from (
        select client_id, figure, reason, at, amount from unnest(added)
        union all
        select client_id, figure, reason, at, -amount from unnest(removed)
      ) c, lateral (values ('day', moscow_day(c.at)), ('month', month_of(moscow_day(c.at)))) s (span, day)
      group by 1, 2, 3, 4, 5 having sum(c.amount) <> 0 order by 1, 4, 5, 2, 3
    on conflict (client_id, span, day, figure, reason) do update set amount = t.amount + excluded.amount;
end $$;

-- Triggers for each row, where their conditions keep them from what no figure counts, such as scans. Where there is no old or no
-- new row, its figures are none.
create function tally_receipt() returns trigger language plpgsql as $$
begin
  perform add_to_warehouse_tallies(
    array(select f from receipt_figures(new) f), array(select f from receipt_figures(old) f));
  return null;
end $$;
create trigger tally_insert after insert on receipts
  for each row when (new.completed_at is not null) execute function tally_receipt();
create trigger tally_update after update on receipts
  for each row when ((new.completed_at, new.cancelled_at, new.expected_qty, new.accepted_qty)
    is distinct from (old.completed_at, old.cancelled_at, old.expected_qty, old.accepted_qty))
  execute function tally_receipt();
create trigger tally_delete after delete on receipts
  for each row when (old.completed_at is not null) execute function tally_receipt();

-- Lines of a receipt that counts already. Counting gives lines their reasons before it completes the receipt. No statement
-- changes a receipt and its lines at once: both triggers would count the lines.
create function tally_line() returns trigger language plpgsql as $$
begin
  perform add_to_warehouse_tallies(
    array(select f from receipts r, line_figures(r, new) f where r.client_id = new.client_id and r.id = new.receipt_id),
    array(select f from receipts r, line_figures(r, old) f where r.client_id = old.client_id and r.id = old.receipt_id));
  return null;
end $$;
create trigger tally_insert after insert on receipt_items
  for each row when (new.shortage_reason is not null) execute function tally_line();
create trigger tally_update after update on receipt_items
  for each row when ((new.shortage_reason is not null or old.shortage_reason is not null)
    and (new.shortage_reason, new.expected_qty, new.accepted_qty)
      is distinct from (old.shortage_reason, old.expected_qty, old.accepted_qty))
  execute function tally_line();
create trigger tally_delete after delete on receipt_items
  for each row when (old.shortage_reason is not null) execute function tally_line();

-- For each statement: the end of observing shows many shipments, and the tallies are locked at its end alone.
create function tally_shipments() returns trigger language plpgsql as $$
declare
  added warehouse_figure[] := '{}';
  removed warehouse_figure[] := '{}';
begin
  if tg_op = 'UPDATE' then
    if not exists (
      select client_id, id, closed_at, units, observed from new_rows
      except
      select client_id, id, closed_at, units, observed from old_rows
    ) then
      return null;
    end if;
  end if;
  if tg_op <> 'DELETE' then
    added := array(select f from new_rows s, shipment_figures(s.client_id, s.closed_at, s.units, s.observed) f);
  end if;
  if tg_op <> 'INSERT' then
    removed := array(select f from old_rows s, shipment_figures(s.client_id, s.closed_at, s.units, s.observed) f);
  end if;
  perform add_to_warehouse_tallies(added, removed);
  return null;
end $$;
create trigger tally_insert after insert on shipments referencing new table as new_rows
  for each statement execute function tally_shipments();
create trigger tally_update after update on shipments referencing old table as old_rows new table as new_rows
  for each statement execute function tally_shipments();
create trigger tally_delete after delete on shipments referencing old table as old_rows
  for each statement execute function tally_shipments();

create function tally_miss() returns trigger language plpgsql as $$
begin
  perform add_to_warehouse_tallies(array(select f from miss_figures(new) f), array(select f from miss_figures(old) f));
  return null;
end $$;
create trigger tally_insert after insert on pick_misses for each row execute function tally_miss();
create trigger tally_update after update on pick_misses
  for each row when ((new.reason, new.at, new.units) is distinct from (old.reason, old.at, old.units))
  execute function tally_miss();
create trigger tally_delete after delete on pick_misses for each row execute function tally_miss();
