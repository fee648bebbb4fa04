-- What the marketplace says of the marks of picked units, one row a unit, from its pick until its shipment has left. A unit that
-- is put back has none; one that the marketplace refused keeps its row, so that whoever picks learns of it.
create table mark_proofs (
  client_id uuid not null,
  task_id uuid not null,
  scan_id text not null,
  order_id uuid not null,
  cabinet_id uuid not null,
  state text not null check (state in ('unsent', 'sent', 'proven', 'refused')),
  given_at timestamptz(3) not null, -- when the marks were given or changed last
  attempted_at timestamptz(3), -- the marketplace may have marks of the unit from here on; null: it has none
  sent_at timestamptz(3), -- it has taken all of them
  due_at timestamptz(3), -- when they are sent or asked about next; null: not before something changes here
  mark_kind text, -- of the refused mark
  reason_code text, -- in the marketplace's words
  reason text, -- in Russian
  primary key (client_id, task_id, scan_id),
  foreign key (client_id, task_id) references picking_tasks,
  foreign key (client_id, cabinet_id) references cabinets,
  check ((state = 'refused') = (reason is not null)),
  check ((state in ('unsent', 'refused')) = (sent_at is null)),
  check (due_at is null or state in ('unsent', 'sent'))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index mark_proofs_by_order on mark_proofs (client_id, order_id);
create index mark_proofs_due on mark_proofs (client_id, cabinet_id, due_at) where due_at is not null;
