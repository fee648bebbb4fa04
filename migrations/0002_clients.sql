-- Warehouses, their clients (legal entities), and the cabinets of clients on marketplaces.

create table warehouses (
  code text primary key,
  name text not null,
  mode text not null default 'live' check (mode in ('live', 'test')),
  intake_open boolean not null default true,
  created_at timestamptz(3) not null
);

create table clients (
  id uuid primary key,
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  -- Folded by the service, so that search does not depend on the database's locale.
  name_folded text not null default '',
  inn text,
  warehouse_code text not null references warehouses,
  -- Whether the client's users may announce receipts in the account.
  account_receipts boolean not null default false,
  created_at timestamptz(3) not null
);
create index clients_by_time on clients (created_at desc, id desc) where mode = 'live';
create index clients_by_inn on clients (warehouse_code, inn) where mode = 'live' and inn is not null;

create function refuse_change_of_mode() returns trigger language plpgsql as $$
begin
  raise exception 'the mode of a client never changes' using errcode = 'restrict_violation';
end $$;
create trigger mode_is_fixed before update of mode, id on clients
  for each row when (old.mode <> new.mode or old.id <> new.id) execute function refuse_change_of_mode();

-- Consecutive numbers within a client. Receipt requests and new subscriptions of one client take turns by
-- locking the row.
create table client_counters (
  client_id uuid primary key references clients,
  receipts bigint not null default 0,
  returns bigint not null default 0
);

create table cabinets (
  client_id uuid not null references clients,
  id uuid not null,
  marketplace text not null check (marketplace in ('WB', 'OZON')),
  name text not null,
  active boolean not null default true,
  -- Where shipments are made: here, or in the marketplace's cabinet and mirrored here. An observed cabinet
  -- is only read, and sellers see nothing of what it reports.
  shipments text not null default 'ours' check (shipments in ('ours', 'mirrored', 'observe')),
  observed_since timestamptz(3), -- null: it is not observed
  observed_until timestamptz(3), -- what left before took no units here; null: it was never observed
  -- Observing has ended, and sellers do not see its orders and shipments yet: all of them appear at once.
  has_hidden_rows boolean not null default false,
  calls_recorded_until timestamptz(3), -- raw calls are kept until then; null: they are not
  -- Whether the marketplace wants to know where a shipment goes before it is handed over.
  shipping_method_required boolean not null default true,
  credentials bytea, -- sealed with the service's key
  credentials_at timestamptz(3),
  -- What the marketplace said of them at their entry; null: it did not answer.
  credentials_rights text[],
  credentials_end timestamptz(3), -- as known at their entry
  credentials_sandbox boolean not null default false,
  -- Whose data the cabinet has, where credentials name the account; sealed like them.
  seller bytea,
  synced_at timestamptz(3),
  sync_error text,
  -- The history of order statuses is complete from here on; null before the first intake.
  history_since timestamptz(3),
  -- The marketplace's numbers of the warehouses whose orders are ours; null: not chosen yet.
  own_warehouses text[],
  -- Orders whose marketplace names no deadline have this one, in hours after their creation.
  deadline_hours integer check (deadline_hours between 1 and 720),
  created_at timestamptz(3) not null,
  primary key (client_id, id),
  check ((shipments = 'observe') = (observed_since is not null)),
  check (not (has_hidden_rows and shipments = 'observe'))
);
create index cabinets_by_id on cabinets (id);
create index cabinets_with_hidden_rows on cabinets (client_id, id) where has_hidden_rows; -- empty as a rule
create index cabinets_connected on cabinets (client_id, id) where credentials is not null and active;
