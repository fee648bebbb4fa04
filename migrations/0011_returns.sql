-- Returns: goods that marketplaces send back to the warehouse.

create table expected_returns (
  client_id uuid not null,
  id uuid not null,
  cabinet_id uuid not null,
  external_id text collate "C" not null, -- the marketplace's number; of the order where it lists no returns
  kind text not null check (kind in ('CANCELLATION', 'REFUSAL', 'BUYER_RETURN', 'OTHER')),
  state text not null check (state in ('ON_THE_WAY', 'READY', 'RECEIVED', 'NOT_COMING', 'OTHER')),
  remote_state text,
  reason text,
  order_number text collate "C",
  order_id uuid,
  item_id bigint, -- the marketplace's number of the goods
  article text,
  name text,
  units integer not null check (units > 0),
  since timestamptz(3),
  changed_at timestamptz(3),
  place_name text,
  place_address text,
  label_code text,
  disposal_at timestamptz(3),
  created_at timestamptz(3) not null,
  synced_at timestamptz(3) not null,
  primary key (client_id, id),
  unique (client_id, cabinet_id, external_id),
  foreign key (client_id, cabinet_id) references cabinets,
  foreign key (client_id, order_id) references orders
);
create index expected_returns_by_number on expected_returns (external_id);
create index expected_returns_by_label on expected_returns (label_code) where label_code is not null;
create index expected_returns_by_time on expected_returns (client_id, created_at desc, id desc);
create index expected_returns_open on expected_returns (client_id, cabinet_id)
  where state in ('READY', 'ON_THE_WAY');
create index expected_returns_by_state on expected_returns (client_id, state, created_at desc, id desc);
create index expected_returns_by_order on expected_returns (client_id, order_id) where order_id is not null;

-- Goods that came back, in batches: a worker takes them in scan by scan.
create table return_batches (
  client_id uuid not null references clients,
  id uuid not null,
  number text not null,
  cabinet_id uuid,
  status text not null check (status in ('OPEN', 'FINISHED')),
  day date, -- a batch that scans opened by themselves, and its Moscow day
  comment text,
  created_at timestamptz(3) not null,
  created_by text not null,
  finished_at timestamptz(3),
  finished_by text,
  primary key (client_id, id),
  unique (client_id, number),
  foreign key (client_id, cabinet_id) references cabinets,
  check ((finished_at is not null) = (status = 'FINISHED')),
  check ((finished_at is null) = (finished_by is null))
);
create index return_batches_by_id on return_batches (id);
create index return_batches_by_number on return_batches (number);
create index return_batches_by_time on return_batches (client_id, created_at desc, id desc);
create index return_batches_open on return_batches (client_id, created_at) where status = 'OPEN';
create index return_batches_by_status on return_batches (client_id, status, created_at desc, id desc);
-- Of scans that open the batch of the day at once, one does.
create unique index return_batches_of_day on return_batches (client_id, day)
  where status = 'OPEN' and day is not null;

-- What a batch expects: units of an order that left, or those that a marketplace sends back.
create table return_lines (
  client_id uuid not null,
  return_id uuid not null,
  line integer not null,
  order_id uuid,
  expected_return_id uuid, -- deleted with age there
  external_id text collate "C" not null, -- of the order, else of the marketplace's return
  barcode text collate "C",
  units integer not null check (units > 0),
  primary key (client_id, return_id, line),
  foreign key (client_id, return_id) references return_batches
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- A unit that came back. The same scan again takes in nothing.
create table return_scans (
  client_id uuid not null,
  return_id uuid not null,
  scan_id text not null,
  of_day boolean not null, -- made without naming a batch
  code text not null, -- as it was scanned
  line integer, -- of the batch; null: nobody expected the unit
  expected_return_id uuid,
  order_id uuid, -- null: the code names goods, and several orders may have taken them out
  shipment_id uuid,
  pick_scan_id text, -- the pick of the unit, where a mark of its own tells it
  barcode text collate "C" not null,
  marking_code text collate "C", -- its identity
  new_code boolean not null default false, -- the warehouse had not seen the marking code before
  condition text not null check (condition in ('sellable', 'damaged', 'unknown')),
  reason text,
  at timestamptz(3) not null,
  actor text not null,
  undone_at timestamptz(3),
  undone_by text,
  primary key (client_id, return_id, scan_id),
  foreign key (client_id, return_id) references return_batches,
  check ((order_id is null) = (shipment_id is null)),
  check (condition = 'sellable' or reason is not null),
  check (marking_code is not null or not new_code)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create unique index return_scans_of_day on return_scans (client_id, scan_id) where of_day;
create index return_scans_by_order on return_scans (client_id, order_id) where order_id is not null;
create index return_scans_by_expectation on return_scans (client_id, expected_return_id)
  where expected_return_id is not null;
