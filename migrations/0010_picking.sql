-- Picking: collecting the orders of an open shipment, unit by unit.

create table picking_tasks (
  client_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  status text not null check (status in ('OPEN', 'DONE')),
  opened_at timestamptz(3) not null,
  done_at timestamptz(3),
  shipped_count integer, -- orders that left with the shipment; null while it is collected
  claimed_by uuid, -- the user who alone collects it, until claim_ends_at
  claimed_at timestamptz(3),
  primary key (client_id, id),
  unique (client_id, shipment_id),
  foreign key (client_id, shipment_id) references shipments,
  check ((claimed_by is null) = (claimed_at is null)),
  check (status = 'OPEN' or claimed_by is null)
);
create index picking_tasks_by_id on picking_tasks (id);
create index picking_tasks_by_time on picking_tasks (client_id, opened_at desc, id desc);
create index picking_tasks_by_status on picking_tasks (client_id, status, opened_at desc, id desc);
create index picking_tasks_by_claim on picking_tasks (claimed_by) where claimed_by is not null;

-- No foreign keys, as in stock_movements. The same scan again picks nothing.
create table picks (
  client_id uuid not null,
  task_id uuid not null,
  scan_id text not null,
  order_id uuid not null,
  line integer not null,
  barcode text collate "C" not null,
  marking_code text collate "C", -- its identity: GTIN and serial
  box_id uuid,
  location_id uuid, -- that a loose unit was taken from
  marks jsonb not null default '{}', -- by kind (platform/kernel/unit-mark.ts); null: the unit has none
  at timestamptz(3) not null,
  actor text not null,
  undone_at timestamptz(3), -- the unit went back to the shelf, alone or with its order
  primary key (client_id, task_id, scan_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index picks_by_order on picks (client_id, order_id, task_id);

-- A claim ends 30 minutes after it was made or after the last scan of its user. Null without a claim.
create function claim_ends_at(client uuid, task uuid, claimed_by uuid, claimed_at timestamptz)
  returns timestamptz language sql stable as $$
  select case when claimed_by is not null then greatest(claimed_at, (
    select max(p.at) from picks p
    where p.client_id = client and p.task_id = task and p.actor = 'staff:' || claimed_by
  )) + interval '30 minutes' end
$$;

-- Packing checks: picked units that were scanned once more. They begin again when a pick of their order is undone.
create table pack_checks (
  client_id uuid not null,
  task_id uuid not null,
  scan_id text not null,
  order_id uuid not null,
  line integer not null,
  barcode text collate "C" not null,
  marking_code text collate "C", -- its identity
  at timestamptz(3) not null,
  actor text not null,
  undone_at timestamptz(3),
  primary key (client_id, task_id, scan_id),
  foreign key (client_id, task_id) references picking_tasks
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index pack_checks_by_order on pack_checks (client_id, order_id);

-- Of a pick only undone_at and marks change, and a marking code is added where there was none. For a live
-- client only an undone pick is deleted: when its task goes with an empty shipment.
create function refuse_change_of_pick() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if exists (
      select from removed r left join after a using (client_id, task_id, scan_id)
      where a.order_id is null
        or (a.order_id, a.line, a.barcode, a.box_id, a.location_id, a.at, a.actor)
          is distinct from (r.order_id, r.line, r.barcode, r.box_id, r.location_id, r.at, r.actor)
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
create trigger append_only before truncate on picks
  for each statement execute function refuse_change();
create trigger keep_facts after update on picks referencing old table as removed new table as after
  for each statement execute function refuse_change_of_pick();
create trigger keep_live after delete on picks referencing old table as removed
  for each statement execute function refuse_change_of_pick();

-- Marks that name one unit in the world, while it is in an order or left with one. The key has no client: a
-- unit is in one order of the whole warehouse.
create table unit_marks (
  kind text not null check (kind in ('uin', 'imei')),
  value text collate "C" not null,
  client_id uuid not null,
  order_id uuid not null,
  scan_id text not null,
  primary key (kind, value)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index unit_marks_by_order on unit_marks (client_id, order_id);

-- Units that a worker did not find. A miss stays on record when its task goes with an empty shipment.
create table pick_misses (
  client_id uuid not null,
  id bigint generated by default as identity,
  task_id uuid,
  scan_id text,
  order_id uuid not null,
  barcode text collate "C" not null,
  units integer not null check (units > 0),
  reason text not null,
  at timestamptz(3) not null,
  actor text not null,
  primary key (client_id, id),
  foreign key (client_id, task_id) references picking_tasks
);
create index pick_misses_by_time on pick_misses (client_id, at) include (reason, units); -- all that metrics read
create index pick_misses_by_task on pick_misses (client_id, task_id, order_id, id);
