-- Scans that a handheld queued and the warehouse refused later: a manager decides on each.

create table scan_exceptions (
  client_id uuid not null references clients,
  id uuid not null,
  kind text not null check (kind in ('receipt_scan', 'pick', 'return_scan')),
  object_id uuid not null, -- the receipt, picking task or batch of returns
  scan_id text not null,
  scan jsonb not null, -- as the handheld sent it
  queued_at timestamptz(3) not null,
  queued_by text, -- login
  reason text not null,
  created_at timestamptz(3) not null,
  actor text not null,
  decision text check (decision in ('entered', 'dismissed')),
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
