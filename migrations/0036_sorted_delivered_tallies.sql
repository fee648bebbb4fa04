-- An order that the buyer received in a period counts as sorted in it, too, whenever the marketplace sorted it. So orders are also counted
-- by the pair of these days: a period takes the pairs of its days of receipt whose sorting lies outside it. A pair inside one span is never
-- taken, so only the others are kept. Triggers keep them.

-- Nobody changes orders meanwhile.
lock table only orders in share row exclusive mode;

create table sorted_delivered_tallies (
  client_id uuid not null,
  span text not null check (span in ('day', 'month')),
  day date not null, -- of the receipt by the buyer, or the first one of its month
  sorted_day date not null, -- of the first sorted status; -infinity: before its cabinet's history
  orders bigint not null,
  primary key (client_id, span, day, sorted_day)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- The spans that count a pair of days: those of the receipt that the day of sorting is outside of.
create function pair_spans(delivered date, sorted date) returns table (span text, day date)
  language sql immutable parallel safe as $$
  select 'day', delivered where sorted <> delivered
  union all
  select 'month', month_of(delivered) where month_of(sorted) <> month_of(delivered)
$$;

-- As before, and the pairs.
create or replace function add_to_order_tallies(rows order_count[]) returns void language plpgsql as $$
begin
  insert into order_tallies as t (client_id, span, day, marketplace, status, sorted, delivered, orders)
    select r.client_id, s.span, s.day, r.marketplace, r.status, r.sorted, r.delivered, sum(r.sign)
      from unnest(rows) r, lateral (
        values ('all', '-infinity'::date), ('day', moscow_day(r.created_at)), ('month', month_of(moscow_day(r.created_at)))
      ) s (span, day)
      group by 1, 2, 3, 4, 5, 6, 7 having sum(r.sign) <> 0 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (client_id, span, day, marketplace, status, sorted, delivered)
      do update set orders = t.orders + excluded.orders;
  insert into milestone_tallies as t (client_id, milestone, span, day, orders)
    select r.client_id, m.milestone, s.span, s.day, sum(r.sign)
      from unnest(rows) r, lateral (values ('sorted', r.sorted_at), ('delivered', r.delivered_at)) m (milestone, at),
        lateral (values ('day', moscow_day(m.at)), ('month', month_of(moscow_day(m.at)))) s (span, day)
      where m.at is not null group by 1, 2, 3, 4 having sum(r.sign) <> 0 order by 1, 2, 3, 4
    on conflict (client_id, milestone, span, day) do update set orders = t.orders + excluded.orders;
  insert into sorted_delivered_tallies as t (client_id, span, day, sorted_day, orders)
    select d.client_id, s.span, s.day, d.sorted_day, sum(d.sign)
      from (
        select r.client_id, r.sign, moscow_day(r.delivered_at) as day, coalesce(moscow_day(r.sorted_at), '-infinity') as sorted_day
        from unnest(rows) r where r.delivered_at is not null
      ) d, lateral pair_spans(d.day, d.sorted_day) s
      group by 1, 2, 3, 4 having sum(d.sign) <> 0 order by 1, 2, 3, 4
    on conflict (client_id, span, day, sorted_day) do update set orders = t.orders + excluded.orders;
end $$;

-- Of what is there already.
insert into sorted_delivered_tallies (client_id, span, day, sorted_day, orders)
  select d.client_id, s.span, s.day, d.sorted_day, sum(d.orders)
  from (
    select client_id, moscow_day(delivered_at) as day, coalesce(moscow_day(sorted_at), '-infinity') as sorted_day, count(*) as orders
    from orders where delivered_at is not null and not observed group by 1, 2, 3
  ) d, lateral pair_spans(d.day, d.sorted_day) s
  group by 1, 2, 3, 4;
analyze sorted_delivered_tallies;
