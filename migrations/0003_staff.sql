-- The staff side: who works here, the journal of what they change, marking codes, labels, scans that
-- can be taken back.

create table staff_users (
  id uuid primary key,
  login text collate "C" not null unique, -- lower case
  role text not null check (role in ('administrator', 'manager', 'worker')),
  password_hash text, -- null: works with tokens only
  active boolean not null default true,
  created_at timestamptz(3) not null
);

create table staff_tokens (
  hash bytea primary key,
  id uuid not null unique,
  user_id uuid not null references staff_users,
  name text not null,
  preview text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index staff_tokens_by_user on staff_tokens (user_id, created_at, id);

create table staff_sessions (
  hash bytea primary key,
  user_id uuid not null references staff_users,
  created_at timestamptz(3) not null,
  used_at timestamptz(3) not null
);
create index staff_sessions_by_user on staff_sessions (user_id);
create index staff_sessions_by_use on staff_sessions (used_at);

-- Failed attempts to sign in, by login and address; lost with a crash of the database.
create unlogged table sign_in_failures (
  subject text primary key,
  failures integer not null,
  last_at timestamptz(3) not null
);

create table staff_journal (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  actor text not null, -- as in works: staff:<id> or command-line
  login text,          -- as it was then
  action text not null,
  client_id uuid,
  object_id text,
  before jsonb,
  after jsonb,
  request_id text,
  ip text
);
create index staff_journal_by_client on staff_journal (client_id, id desc);
create index staff_journal_by_object on staff_journal (object_id, id desc);
create index staff_journal_by_actor on staff_journal (actor, id desc);
create trigger append_only before update or delete or truncate on staff_journal
  for each statement execute function refuse_change();
create trigger append_only before update or truncate on call_journal
  for each statement execute function refuse_change();

create index receipt_journal_by_time on receipt_journal (client_id, at desc, entry desc);

-- Staff know an object by its id alone.
create index cabinets_by_id on cabinets (id);
create index receipts_by_id on receipts (id);
create index orders_by_id on orders (id);
create index shipments_by_id on shipments (id);
create index picking_tasks_by_id on picking_tasks (id);
create index boxes_by_id on boxes (id);
create index pallets_by_id on pallets (id);
create index webhooks_by_id on webhooks (id);

create index picking_tasks_by_time on picking_tasks (client_id, opened_at desc, id desc);
create index picking_tasks_by_status on picking_tasks (client_id, status, opened_at desc, id desc);
create index boxes_by_time on boxes (client_id, created_at desc, id desc);
create index pallets_by_time on pallets (client_id, created_at desc, id desc);

-- Cabinets: where shipments are made, and the marketplace's credentials, sealed.
alter table cabinets
  add shipments text not null default 'ours' check (shipments in ('ours', 'mirrored')),
  add credentials bytea,
  add credentials_at timestamptz(3);

-- Receiving: a scan knows its marking code and box, and may be taken back.
alter table receipt_scans
  add mark text collate "C", -- identity of the marking code
  add box_id uuid,
  add undone_at timestamptz(3),
  add undone_by text;
create index receipt_scans_by_time on receipt_scans (client_id, receipt_id, at, scan_id);

-- Marking codes, each once in the whole warehouse. A code that was shipped may come back.
create table marking_codes (
  identity text collate "C" primary key, -- GTIN and serial
  code text not null,                    -- as it was scanned
  client_id uuid not null,
  barcode text collate "C" not null,
  state text not null check (state in ('stored', 'picked', 'shipped')),
  receipt_id uuid,
  order_id uuid,
  changed_at timestamptz(3) not null,
  check ((order_id is not null) = (state <> 'stored'))
);
create index marking_codes_by_order on marking_codes (client_id, order_id);
create index marking_codes_by_receipt on marking_codes (client_id, receipt_id);

-- Storage: numbers of boxes and pallets (SSCC), unique in the whole warehouse.
create sequence storage_serials;
create table storage_numbers (
  sscc text collate "C" primary key,
  client_id uuid not null,
  kind text not null check (kind in ('box', 'pallet')),
  object_id uuid not null
);
create index storage_numbers_by_object on storage_numbers (client_id, object_id);

-- What a handheld did to a box: the same scan again changes nothing.
create table storage_scans (
  client_id uuid not null,
  scan_id text not null,
  box_id uuid not null,
  at timestamptz(3) not null,
  actor text not null,
  primary key (client_id, box_id, scan_id)
);

-- Picking.
alter table picks
  add mark text collate "C",
  add undone_at timestamptz(3); -- the order was taken out of the shipment again
alter table pick_misses add scan_id text;
create index picks_by_order on picks (client_id, order_id, task_id);

-- Corrections, write-offs and investigations that were given a name: the same name again changes nothing.
create table stock_entries (
  client_id uuid not null,
  entry_id text not null,
  at timestamptz(3) not null,
  actor text not null,
  primary key (client_id, entry_id)
);

-- Clients are found by a part of their name, which the service folds; what is there is folded here.
alter table clients add name_folded text not null default '';
update clients set name_folded = translate(lower(name),
  'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя');
create index clients_by_time on clients (created_at desc, id desc) where mode = 'live';

-- The journal of calls by key, and so by client, and by every status that is not the usual one.
create index call_journal_by_key on call_journal (key_id, at desc, id desc) where key_id is not null;
create index call_journal_by_status on call_journal (status, at desc, id desc) where status <> 200;

-- What was not found for a task, and whether a report is a repeat.
create index pick_misses_by_task on pick_misses (client_id, task_id, order_id, id);
