-- Orders of buyers, with the history of their statuses and the counts for lists and metrics.

create table orders (
  client_id uuid not null references clients,
  id uuid not null,
  cabinet_id uuid not null,
  marketplace text not null,
  external_id text not null,
  status text not null check (status in
    ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'COMPLETED', 'CANCELLED', 'OTHER')),
  announced_status text, -- as in receipts
  -- The marketplace's status: normalized, and as sent.
  marketplace_status text not null,
  supplier_status text,
  buyer_status text,
  status_changed_at timestamptz(3),
  -- Counted as sorted or delivered by the marketplace: now, and first entered when.
  sorted boolean not null default false,
  delivered boolean not null default false,
  sorted_at timestamptz(3),
  delivered_at timestamptz(3),
  article text,
  barcode text collate "C",
  nm_id bigint,
  is_b2b boolean not null default false,
  remote_warehouse_id text, -- the marketplace's number of the warehouse that ships the order
  -- When the order must be handed over: as reported, else by the rule of the cabinet.
  deadline_at timestamptz(3),
  shipment_id uuid,
  -- Of an observed cabinet: staff see it, sellers do not, no shipment made here takes it, and no tally
  -- counts it.
  observed boolean not null default false,
  created_at timestamptz(3) not null,
  packed_at timestamptz(3),
  reship_since timestamptz(3), -- it came back to be handed over again; null: it did not, or it was
  synced_at timestamptz(3),
  primary key (client_id, id),
  unique (client_id, cabinet_id, external_id),
  foreign key (client_id, cabinet_id) references cabinets,
  foreign key (client_id, shipment_id) references shipments
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02); -- room for synced_at to change in place
-- Each index costs an entry for every order that enters it, for years. The primary key and the number in a cabinet are
-- how verbs and syncing find orders; what else there is serves these requests and no others:

-- Staff name an order by its id alone (platform/db/owner-lookup.ts).
create index orders_by_id on orders (id);
-- A number that somebody scans or types may be any client's (warehouse/lookup/papers.ts, filter external_id).
create index orders_by_number on orders (external_id);

-- Lists, newest first, and what their totals count row by row: by each filter of the public interface. Without its own index
-- a rare value would be searched for in the whole history.
create index orders_by_time on orders (client_id, created_at desc, id desc) where not observed;
create index orders_by_status on orders (client_id, status, created_at desc, id desc) where not observed;
create index orders_by_marketplace on orders (client_id, marketplace, created_at desc, id desc)
  where not observed;
create index orders_by_barcode on orders (client_id, barcode, created_at desc, id desc) where not observed;
-- The orders of a shipment too: each of its verbs and pages reads them.
create index orders_by_shipment on orders (client_id, shipment_id, created_at desc, id desc)
  where shipment_id is not null;
-- Lists of a cabinet. Syncing asks in the same order for its terminal orders for some time after their creation, because even a
-- terminal status may change, and most orders are terminal: they need no index of their own.
create index orders_by_cabinet on orders (client_id, cabinet_id, created_at desc, id desc);
-- Lists of staff: observed orders, and orders to be brought again.
create index orders_observed on orders (client_id, created_at desc, id desc) where observed;
create index orders_to_reship on orders (client_id, created_at desc, id desc)
  where reship_since is not null;

-- Metrics count the parts of days at the ends of a period, whole days come from milestone_tallies.
create index orders_by_sorting on orders (client_id, sorted_at)
  where sorted_at is not null and not observed;
create index orders_by_delivery on orders (client_id, delivered_at)
  where delivered_at is not null and not observed;

-- The others hold what is under way alone, so they stay small however long the history is.
-- Orders that left and that their marketplace has not sorted: only these may come onto its reshipment list.
create index orders_unsorted on orders (client_id, cabinet_id, shipment_id)
  where status = 'IN_DELIVERY' and not sorted and shipment_id is not null;
-- Orders that were cancelled in a shipment: those that had left come back.
create index orders_cancelled_in_shipment on orders (client_id, cabinet_id, status_changed_at)
  where status = 'CANCELLED' and shipment_id is not null;
-- Orders that wait to be handed over, the most urgent first: of all clients, what is due today.
create index orders_by_deadline on orders (deadline_at, id) include (client_id, shipment_id)
  where status in ('NEW', 'ASSEMBLING') and deadline_at is not null;
-- Orders that wait and are in no shipment yet: the goods that they lack.
create index orders_waiting on orders (client_id, id) include (deadline_at)
  where status in ('NEW', 'ASSEMBLING') and shipment_id is null and not observed;
-- The earliest deadline of each open shipment, in lists of fifty.
create index orders_by_shipment_deadline on orders (client_id, shipment_id, deadline_at)
  where status in ('NEW', 'ASSEMBLING') and deadline_at is not null;
-- Orders whose status syncing asks for, in pages by number.
create index orders_open on orders (client_id, cabinet_id, external_id collate "C")
  where status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER');
-- Statuses to be announced. Empty as a rule.
create index orders_unannounced on orders (client_id, id) where status <> announced_status;

-- What sellers see, as in shipments.
create view seller_orders as select * from orders where not observed;

-- Orders that a marketplace did not find in a shipment when it scanned it, which came back for that. The
-- marketplace may name an order again and again: it comes back from each of its shipments once.
create table reshipments (
  client_id uuid not null,
  order_id uuid not null,
  supply text collate "C" not null, -- the marketplace's number of the shipment
  shipment_id uuid not null, -- the shipment here that the order left
  at timestamptz(3) not null,
  primary key (client_id, order_id, supply),
  foreign key (client_id, order_id) references orders,
  foreign key (client_id, shipment_id) references shipments
);
create index reshipments_by_shipment on reshipments (client_id, shipment_id, order_id);

create table order_lines (
  client_id uuid not null,
  order_id uuid not null,
  line integer not null,
  barcode text collate "C",
  article text,
  item_id bigint, -- the marketplace's number: a card that arrives later gives the barcode
  quantity integer not null check (quantity > 0),
  picked integer not null default 0 check (picked between 0 and quantity),
  -- What the marketplace wants to know of each unit (warehouse/orders/facts.ts, MarkKind).
  required_marks text[] not null default '{}',
  optional_marks text[] not null default '{}',
  primary key (client_id, order_id, line),
  foreign key (client_id, order_id) references orders
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- What a marketplace reports of an order beside its goods and statuses. Orders that nobody reported
-- anything of have no row.
create table order_facts (
  client_id uuid not null,
  order_id uuid not null,
  reported_deadline_at timestamptz(3), -- null: the marketplace names none
  deadline_without_delay_at timestamptz(3),
  warehouse_name text,
  scheme text, -- fbs, or the marketplace's name of another scheme
  cargo_type text,
  cross_border_type text,
  comment text,
  cancel_reason text,
  cancelled_by text,
  cancellable boolean,
  label_codes text[] not null default '{}',
  label_asked_at timestamptz(3), -- when the marketplace was last asked for them; null: never
  parent_number text,
  related_numbers text[] not null default '{}',
  boxes integer,
  needs_boxes boolean, -- the marketplace waits for their number
  -- What a list showed of the order, hashed, where lists leave something out, and the one of these for
  -- which the order was read alone.
  listed text,
  details_of text,
  primary key (client_id, order_id),
  foreign key (client_id, order_id) references orders
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- Finds the parts of an order that was split.
create index order_facts_by_parent on order_facts (client_id, parent_number)
  where parent_number is not null;

-- Orders to be read alone.
create index order_facts_unread on order_facts (client_id, order_id)
  where listed <> coalesce(details_of, '');

-- Finds the order of a scanned label. An array can't be indexed behind the client.
create index order_facts_by_label on order_facts using gin (label_codes);

-- The deadline of an order whose marketplace names none; null without a rule. Moments after the year
-- 9999 can't be shown.
create function deadline_by_rule(created_at timestamptz, hours integer) returns timestamptz
  language sql immutable
  return case when created_at < '9999-01-01 00:00:00+00' then created_at + hours * interval '1 hour' end;

-- No foreign keys, as in stock_movements. The largest table: in partitions by client, so that vacuum and a
-- new index go through it piece by piece. Write to it through its own name alone: a statement that names a
-- partition does not fire its triggers.
create table order_status_history (
  client_id uuid not null,
  order_id uuid not null,
  id bigint generated by default as identity,
  at timestamptz(3) not null,
  status text not null,
  supplier_status text,
  buyer_status text,
  primary key (client_id, order_id, id)
) partition by hash (client_id);
do $$
begin
  for n in 0..7 loop
    execute format('create table order_status_history_%s partition of order_status_history
      for values with (modulus 8, remainder %s) with (autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', n, n);
  end loop;
end $$;
create trigger append_only before update or truncate on order_status_history
  for each statement execute function refuse_change();
create trigger keep_live after delete on order_status_history referencing old table as removed
  for each statement execute function refuse_delete_of_live();

-- Orders by time of creation and by everything that lists and metrics filter by, so that a total does not
-- grow with the number of orders: a row a day, and their sums by month and of all time, so that it hardly grows with
-- the years. Triggers keep the counts, so no way of changing an order bypasses them.
create table order_tallies (
  client_id uuid not null,
  span text not null check (span in ('all', 'day', 'month')),
  day date not null, -- the first of the span
  marketplace text not null,
  status text not null,
  sorted boolean not null,
  delivered boolean not null,
  orders bigint not null,
  primary key (client_id, span, day, marketplace, status, sorted, delivered)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- Orders by the day, and by the month, in which they first entered a milestone.
create table milestone_tallies (
  client_id uuid not null,
  milestone text not null check (milestone in ('sorted', 'delivered')),
  span text not null check (span in ('day', 'month')),
  day date not null,
  orders bigint not null,
  primary key (client_id, milestone, span, day)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- An order that the buyer received in a period counts as sorted in it, too, whenever the marketplace sorted it. So orders are also counted
-- by the pair of these days: a period takes the pairs of its days of receipt whose sorting lies outside it. A pair inside one span is never
-- taken, so only the others are kept.
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

create type order_count as (
  client_id uuid, created_at timestamptz, marketplace text, status text,
  sorted boolean, delivered boolean, sorted_at timestamptz, delivered_at timestamptz, sign integer
);

-- What is observed and what is not never meet in a shipment. A foreign key with the mark would say so, too,
-- but it makes the end of observing slower, and that holds up other orders of the client.
create function keep_observed_apart() returns trigger language plpgsql as $$
begin
  if exists (
    select from shipments s
    where s.client_id = new.client_id and s.id = new.shipment_id and s.observed <> new.observed
  ) then
    raise exception 'what is observed and what is not never meet in a shipment' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger observed_apart_inserted after insert on orders
  for each row when (new.shipment_id is not null) execute function keep_observed_apart();
create trigger observed_apart_updated after update of shipment_id on orders
  for each row when (new.shipment_id is not null and new.shipment_id is distinct from old.shipment_id)
  execute function keep_observed_apart();

-- Writes rows in key order, so that two writers never wait for each other in a circle.
create function add_to_order_tallies(rows order_count[]) returns void language plpgsql as $$
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

-- EXCEPT finds whether a statement changed what is counted: new rows that are not among the old ones. A join of both compared each
-- with each: a statement that changed a hundred thousand orders, and nothing that is counted, took hours.
create function tally_orders() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_order_tallies(array(
      select (client_id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, 1)::order_count
        from new_rows where not observed));
  elsif tg_op = 'DELETE' then
    perform add_to_order_tallies(array(
      select (client_id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, -1)::order_count
        from old_rows where not observed));
  elsif exists (
    select client_id, id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, observed from new_rows
    except
    select client_id, id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, observed from old_rows
  ) then
    perform add_to_order_tallies(array(
      select (client_id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, 1)::order_count
        from new_rows where not observed
      union all
      select (client_id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, -1)::order_count
        from old_rows where not observed));
  end if;
  return null;
end $$;
create trigger tally_insert after insert on orders referencing new table as new_rows
  for each statement execute function tally_orders();
create trigger tally_update after update on orders referencing old table as old_rows new table as new_rows
  for each statement execute function tally_orders();
create trigger tally_delete after delete on orders referencing old table as old_rows
  for each statement execute function tally_orders();
