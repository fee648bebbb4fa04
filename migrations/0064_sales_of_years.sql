-- Units by year, cabinet and product, one row a figure, by which goods are ranked: a first page of many months adds up the exact
-- figures of those goods alone that can stand on it. No days of a year have more units than its row, since a return or a shipment
-- that was taken back counts for nothing here.
create table sales_years (
  client_id uuid not null,
  year date not null, -- its first day
  cabinet_id uuid not null,
  figure text not null check (figure in ('ordered', 'cancelled', 'shipped', 'returned')),
  barcode text collate "C" not null,
  units bigint not null,
  primary key (client_id, year, cabinet_id, figure, barcode)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index sales_years_ranked on sales_years (client_id, year, cabinet_id, figure, units desc);

-- The tallies of a few goods.
create index sales_tallies_by_barcode on sales_tallies (client_id, barcode, span, day);

-- Nobody writes what is counted below while it is counted.
lock table orders, order_lines, stock_movements in share row exclusive mode;

create function year_of(day date) returns date language sql immutable parallel safe as $$
  select make_date(extract(year from day)::integer, 1, 1)
$$;

-- Writes rows in key order, so that two writers never wait for each other in a circle.
create or replace function add_to_sales_tallies(rows sale_count[]) returns void language sql as $$
  insert into sales_tallies as t (client_id, span, day, cabinet_id, barcode, ordered, cancelled, shipped, returned)
    select r.client_id, s.span, s.day, r.cabinet_id, r.barcode collate "C",
      sum(r.ordered), sum(r.cancelled), sum(r.shipped), sum(r.returned)
      from unnest(rows) r, lateral (values ('day', r.day), ('month', month_of(r.day))) s (span, day)
      group by 1, 2, 3, 4, 5
      having (sum(r.ordered), sum(r.cancelled), sum(r.shipped), sum(r.returned)) <> (0, 0, 0, 0)
      order by 1, 2, 3, 4, 5
    on conflict (client_id, span, day, cabinet_id, barcode) do update set ordered = t.ordered + excluded.ordered,
      cancelled = t.cancelled + excluded.cancelled, shipped = t.shipped + excluded.shipped, returned = t.returned + excluded.returned;
  insert into sales_years as t (client_id, year, cabinet_id, figure, barcode, units)
    select r.client_id, year_of(r.day), r.cabinet_id, f.figure, r.barcode collate "C", sum(f.units)
      from unnest(rows) r, lateral (values ('ordered', r.ordered), ('cancelled', r.cancelled),
        ('shipped', greatest(r.shipped, 0)), ('returned', greatest(r.returned, 0))) f (figure, units)
      group by 1, 2, 3, 4, 5 having sum(f.units) <> 0
      order by 1, 2, 3, 4, 5
    on conflict (client_id, year, cabinet_id, figure, barcode) do update set units = t.units + excluded.units;
  insert into sales_days as t (client_id, day, cabinet_id, slot, ordered, cancelled, shipped, returned)
    select r.client_id, r.day, r.cabinet_id, pg_backend_pid() % 16, sum(r.ordered), sum(r.cancelled), sum(r.shipped), sum(r.returned)
      from unnest(rows) r
      group by 1, 2, 3
      having (sum(r.ordered), sum(r.cancelled), sum(r.shipped), sum(r.returned)) <> (0, 0, 0, 0)
      order by 1, 2, 3
    on conflict (client_id, day, cabinet_id, slot) do update set ordered = t.ordered + excluded.ordered,
      cancelled = t.cancelled + excluded.cancelled, shipped = t.shipped + excluded.shipped, returned = t.returned + excluded.returned;
$$;

-- All that the tallies of years add up.
create view sale_year_counts as
  select c.client_id, year_of(c.day) as year, c.cabinet_id, f.figure, c.barcode, f.units
    from sale_counts c, lateral (values ('ordered', c.ordered), ('cancelled', c.cancelled),
      ('shipped', greatest(c.shipped, 0)), ('returned', greatest(c.returned, 0))) f (figure, units)
    where f.units <> 0;

insert into sales_years (client_id, year, cabinet_id, figure, barcode, units)
  select client_id, year, cabinet_id, figure, barcode, sum(units) from sale_year_counts group by 1, 2, 3, 4, 5 having sum(units) <> 0;
