-- Scans that a handheld queued and the warehouse refused later: a manager decides on each.

create table scan_exceptions (
  client_id uuid not null references clients,
  id uuid not null,
  kind text not null check (kind in ('receipt_scan', 'pick', 'pack_check', 'return_scan',
    'return_scan_of_day', 'count_scan', 'location_put', 'location_take', 'location_move',
    'box_put', 'box_take', 'box_move', 'box_place', 'pallet_place')),
  -- The receipt, picking task, shipment, batch of returns, count, location, box or pallet; of the day's returns the client.
  object_id uuid not null,
  scan_id text not null,
  scan jsonb not null, -- as the handheld sent it
  queued_at timestamptz(3) not null,
  queued_by text, -- login
  reason text not null,
  created_at timestamptz(3) not null,
  actor text not null,
  decision text check (decision in ('accepted', 'entered', 'dismissed')),
  comment text,
  resolved_at timestamptz(3),
  resolved_by text,
  primary key (client_id, id),
  unique (client_id, kind, object_id, scan_id),
  check (num_nulls(decision, comment, resolved_at, resolved_by) in (0, 4))
);
create index scan_exceptions_by_id on scan_exceptions (id);
create index scan_exceptions_by_time on scan_exceptions (client_id, created_at desc, id desc);
create index scan_exceptions_open on scan_exceptions (client_id, created_at, id)
  where decision is null;
