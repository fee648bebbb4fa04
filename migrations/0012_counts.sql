-- Stocktaking: counts of a client's goods, compared with the ledger.

create table stock_counts (
  client_id uuid not null references clients,
  id uuid not null,
  status text not null check (status in ('DRAFT', 'COUNTING', 'REVIEW', 'CLOSED', 'CANCELLED')),
  blind boolean not null, -- workers see no figures of the ledger
  -- What is counted; all empty: all goods of the client.
  barcodes text[] collate "C" not null,
  box_ids uuid[] not null,
  location_ids uuid[] not null,
  created_at timestamptz(3) not null,
  created_by text not null,
  started_at timestamptz(3),
  reviewed_at timestamptz(3),
  ended_at timestamptz(3), -- closed or cancelled
  ended_by text,
  primary key (client_id, id),
  check ((ended_at is not null) = (status in ('CLOSED', 'CANCELLED'))),
  check ((ended_at is null) = (ended_by is null))
);
create index stock_counts_by_id on stock_counts (id);
create index stock_counts_by_time on stock_counts (client_id, created_at desc, id desc);
create index stock_counts_open on stock_counts (client_id) where status in ('COUNTING', 'REVIEW');
create index stock_counts_by_status on stock_counts (client_id, status, created_at desc, id desc);

-- Units that a worker saw, with what the ledger and storage said at that moment. The same scan again counts nothing.
create table count_scans (
  client_id uuid not null,
  count_id uuid not null,
  scan_id text not null,
  barcode text collate "C" not null,
  marking_code text collate "C", -- its identity
  box_id uuid,
  location_id uuid,
  units bigint not null check (units >= 0),
  expected bigint not null, -- of the goods, in all that is counted
  expected_here bigint not null, -- in this box, loose at this location, or neither
  at timestamptz(3) not null,
  actor text not null,
  undone_at timestamptz(3), -- taken back, or counted again
  undone_by text,
  primary key (client_id, count_id, scan_id),
  foreign key (client_id, count_id) references stock_counts,
  foreign key (client_id, barcode) references products,
  check (box_id is null or location_id is null),
  check ((undone_at is null) = (undone_by is null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
-- Goods come first: while the table is small, one that began like the primary key was taken to find a scan by its id.
create index count_scans_by_goods on count_scans (barcode, client_id, count_id);
-- A unit with a marking code is counted once.
create unique index count_scans_by_code on count_scans (client_id, count_id, marking_code)
  where marking_code is not null and undone_at is null;

-- What was counted of each product, without scans that were taken back: each scan answers with it, however long the
-- count lasts.
create table count_goods (
  client_id uuid not null,
  count_id uuid not null,
  barcode text collate "C" not null,
  units bigint not null check (units >= 0),
  scans integer not null check (scans >= 0),
  primary key (client_id, count_id, barcode),
  foreign key (client_id, count_id) references stock_counts
);

-- The result of a count from its review on. The ledger may have moved while the goods were counted, so what was
-- expected is a range.
create table count_lines (
  client_id uuid not null,
  count_id uuid not null,
  barcode text collate "C" not null,
  counted bigint not null check (counted >= 0),
  expected_min bigint not null,
  expected_max bigint not null,
  outcome text check (outcome in ('correct', 'in_question', 'ignore')),
  reason text,
  decided_at timestamptz(3),
  decided_by text,
  primary key (client_id, count_id, barcode),
  foreign key (client_id, count_id) references stock_counts,
  foreign key (client_id, barcode) references products,
  check (expected_min <= expected_max),
  check ((outcome is null) = (reason is null)),
  check ((outcome is null) = (decided_at is null)),
  check ((outcome is null) = (decided_by is null))
);
