-- Receipts: goods that a seller sends in, with the counting.

create table receipts (
  client_id uuid not null references clients,
  id uuid not null,
  number text not null,
  cabinet_id uuid,
  status text not null check (status in
    ('PENDING_CONFIRMATION', 'EXPECTED', 'RECEIVING', 'RECEIVED', 'RECEIVED_WITH_DISCREPANCY')),
  announced_status text, -- as in the last event; reconciliation announces a status that differs
  source text check (source in ('api', 'file', 'manual')),
  external_ref text,
  comment text,
  planned_date date,
  expected_qty bigint not null,
  -- Filled when counting ends; until then the lines are summed.
  accepted_qty bigint not null default 0,
  discrepancy_qty bigint not null default 0,
  created_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  completed_at timestamptz(3),
  -- Opened for goods that came without a document: its units are in question until a manager approves it.
  walk_in boolean not null default false,
  walk_in_scan text, -- the handheld's name of the opening: a repeat opens nothing
  approved_at timestamptz(3),
  cancelled_at timestamptz(3),
  cancel_comment text,
  primary key (client_id, id),
  unique (client_id, number),
  foreign key (client_id, cabinet_id) references cabinets,
  check ((completed_at is not null) = (status in ('RECEIVED', 'RECEIVED_WITH_DISCREPANCY'))),
  check (walk_in or (approved_at is null and walk_in_scan is null)),
  check (cancelled_at is null
    or (status = 'RECEIVED_WITH_DISCREPANCY' and accepted_qty = 0 and completed_at = cancelled_at))
);
create unique index receipts_by_walk_in_scan on receipts (client_id, walk_in_scan)
  where walk_in_scan is not null;
create index receipts_unapproved on receipts (client_id, created_at desc, id desc)
  where walk_in and approved_at is null;
-- Of equal requests one makes a receipt.
create unique index receipts_pending_ref on receipts (client_id, external_ref)
  where status = 'PENDING_CONFIRMATION' and source = 'api';
create index receipts_by_id on receipts (id);
create index receipts_by_number on receipts (number);
create index receipts_by_ref on receipts (client_id, external_ref) where external_ref is not null;
create index receipts_by_time on receipts (client_id, created_at desc, id desc);
create index receipts_by_status on receipts (client_id, status, created_at desc, id desc);
create index receipts_to_count on receipts (client_id, created_at)
  where status in ('EXPECTED', 'RECEIVING');
create index receipts_to_confirm on receipts (client_id, created_at) where status = 'PENDING_CONFIRMATION';
-- With all that metrics read of completed receipts.
create index receipts_by_completion on receipts (client_id, completed_at)
  include (expected_qty, accepted_qty, cancelled_at) where completed_at is not null;
-- Empty as a rule.
create index receipts_unannounced on receipts (client_id, id) where status <> announced_status;

create table receipt_items (
  client_id uuid not null,
  receipt_id uuid not null,
  barcode text collate "C" not null,
  line integer not null,
  name text not null,
  article text,
  honest_mark boolean,
  expected_qty bigint not null check (expected_qty >= 0), -- 0: the receipt does not list the goods
  accepted_qty bigint not null default 0 check (accepted_qty >= 0),
  shortage_reason text,
  -- Of an approved receipt: units in question that were decided on by hand before the approval.
  decided_qty bigint not null default 0 check (decided_qty >= 0),
  primary key (client_id, receipt_id, barcode),
  foreign key (client_id, receipt_id) references receipts
) with (fillfactor = 80);
-- Lines that are short: each has its reason, which finishing asks for, and no other line has one. It names no column that a scan
-- changes.
create index receipt_items_short on receipt_items (client_id, receipt_id) where shortage_reason is not null;

-- The same scan again counts nothing.
create table receipt_scans (
  client_id uuid not null,
  receipt_id uuid not null,
  scan_id text not null,
  barcode text collate "C" not null,
  marking_code text collate "C", -- its identity
  box_id uuid,
  quantity bigint not null check (quantity > 0),
  at timestamptz(3) not null,
  actor text not null,
  undone_at timestamptz(3),
  undone_by text,
  primary key (client_id, receipt_id, scan_id),
  foreign key (client_id, receipt_id) references receipts
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index receipt_scans_by_time on receipt_scans (client_id, receipt_id, at, scan_id);
