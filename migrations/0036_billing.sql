-- Billing: tariffs, charges that are derived from what happened, periods, and acts with frozen charges.
-- Money is in kopecks. A day is a day in Moscow, and a period is a calendar month.

-- The provider of a warehouse: its requisites and VAT from a day on. The row of the newest first day holds.
create table billing_providers (
  warehouse_code text not null references warehouses,
  first_day date not null,
  name text not null,
  inn text not null,
  kpp text,
  address text not null,
  signatory text not null, -- position and name of who signs acts
  vat_rate smallint check (vat_rate in (5, 7, 22)), -- null: without VAT
  vat_included boolean not null default false, -- in the prices
  created_at timestamptz(3) not null,
  created_by text not null,
  primary key (warehouse_code, first_day),
  check (vat_rate is not null or not vat_included)
);

-- Services of a warehouse beside the measured ones (warehouse/billing/services.ts): somebody enters their quantity.
create table billing_services (
  warehouse_code text not null references warehouses,
  code text collate "C" not null check (code ~ '^OWN_[A-Z0-9_]{1,40}$'),
  name text not null,
  unit text not null,
  active boolean not null default true,
  created_at timestamptz(3) not null,
  primary key (warehouse_code, code)
);

-- Price lists. Of the versions that hold on a day the one with the newest first day is in force, of several the last. Prices are
-- {service: [{"up_to": quantity of the month or null, "price": kopecks}, …]}, steps in rising order, the last without an end.
create table warehouse_tariffs (
  warehouse_code text not null references warehouses,
  version integer not null check (version > 0),
  first_day date not null,
  prices jsonb not null check (jsonb_typeof(prices) = 'object'),
  monthly_minimum bigint not null default 0 check (monthly_minimum >= 0),
  free_days smallint not null default 0 check (free_days between 0 and 365), -- of storage, of each unit
  created_at timestamptz(3) not null,
  created_by text not null,
  primary key (warehouse_code, version)
);

-- The same for one client: each price that it has goes before that of the warehouse.
create table client_tariffs (
  client_id uuid not null references clients,
  version integer not null check (version > 0),
  first_day date not null,
  prices jsonb not null check (jsonb_typeof(prices) = 'object'),
  monthly_minimum bigint check (monthly_minimum >= 0), -- null: that of the warehouse
  free_days smallint check (free_days between 0 and 365), -- null: those of the warehouse
  created_at timestamptz(3) not null,
  created_by text not null,
  primary key (client_id, version)
);

-- A new version takes the place of an old one; no version changes.
create trigger append_only before update or delete or truncate on warehouse_tariffs
  for each statement execute function refuse_change();
create trigger append_only before update or truncate on client_tariffs
  for each statement execute function refuse_change();
create trigger keep_live after delete on client_tariffs referencing old table as removed
  for each statement execute function refuse_delete_of_live();

-- How storage of a client is charged, from a day on; by unit, where there is no row.
create table storage_terms (
  client_id uuid not null references clients,
  first_day date not null,
  way text not null check (way in ('unit', 'litre', 'box', 'pallet')),
  assumed_litres numeric(7, 1) check (assumed_litres > 0), -- of a unit without measures; null: nothing is charged for it
  created_at timestamptz(3) not null,
  created_by text not null,
  primary key (client_id, first_day)
);

-- Measures of goods, in millimetres, from a day on.
create table product_measures (
  client_id uuid not null,
  barcode text collate "C" not null,
  first_day date not null,
  length_mm integer not null check (length_mm between 1 and 10000),
  width_mm integer not null check (width_mm between 1 and 10000),
  height_mm integer not null check (height_mm between 1 and 10000),
  created_at timestamptz(3) not null,
  created_by text not null,
  primary key (client_id, barcode, first_day),
  foreign key (client_id, barcode) references products
);

-- Boxes and pallets that lay there with contents when a day ended, counted just after it. They have no ledger.
create table storage_days (
  client_id uuid not null references clients,
  day date not null,
  boxes bigint not null,
  pallets bigint not null,
  taken_at timestamptz(3) not null,
  primary key (client_id, day)
);

-- What somebody entered: quantity of a service, or a correction with a price of its own.
create table manual_charges (
  client_id uuid not null references clients,
  id uuid not null,
  day date not null,
  service text collate "C" not null,
  quantity numeric(15, 3) not null check (quantity <> 0),
  price bigint check (price >= 0), -- null: that of the tariff
  comment text not null,
  object_kind text, -- what it was for
  object_id text,
  created_at timestamptz(3) not null,
  created_by text not null,
  cancelled_at timestamptz(3),
  cancelled_by text,
  primary key (client_id, id),
  check (quantity > 0 or price is not null),
  check ((object_kind is null) = (object_id is null)),
  check ((cancelled_at is null) = (cancelled_by is null))
);
create index manual_charges_by_day on manual_charges (client_id, day);

create table billing_periods (
  client_id uuid not null references clients,
  month date not null check (month = month_of(month)),
  warehouse_code text not null, -- whose tariff holds
  computed_at timestamptz(3), -- the moment by which its charges were last computed; null: not yet
  closed_at timestamptz(3),
  closed_by text,
  primary key (client_id, month),
  check ((closed_at is null) = (closed_by is null)),
  check (closed_at is null or computed_at is not null)
);
create index billing_periods_open on billing_periods (client_id, month) where closed_at is null;

create function refuse_change_of_closed_period() returns trigger language plpgsql as $$
begin
  raise exception 'a closed period never changes' using errcode = 'restrict_violation';
end $$;
create trigger closed_is_fixed before update on billing_periods
  for each row when (old.closed_at is not null) execute function refuse_change_of_closed_period();
create trigger keep_live after delete on billing_periods referencing old table as removed
  for each statement execute function refuse_delete_of_live();

-- Derived by warehouse/billing/run.ts. A row whose day lies before its month corrects a closed period: quantity and amount are what
-- that period lacks. No foreign keys, as in stock_movements.
create table charges (
  client_id uuid not null,
  month date not null,
  day date not null,
  service text collate "C" not null,
  source text collate "C" not null, -- kind and id of what it is for, such as receipt:<id>
  step smallint not null, -- of the price; 0: the price does not come from a tariff
  quantity numeric(15, 3) not null,
  price bigint not null,
  amount bigint not null,
  tariff text, -- warehouse:<code>:<version> or client:<version>; null: the price does not come from one
  primary key (client_id, day, service, source, step, month),
  check (day < month or month_of(day) = month)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index charges_by_month on charges (client_id, month);
create index charges_by_source on charges (client_id, source);

-- Charges of a closed period stay as they are; those of test clients may be deleted.
create function refuse_change_of_closed_charges() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct client_id, month from changed) r
    join billing_periods p on p.client_id = r.client_id and p.month = r.month and p.closed_at is not null
    join clients c on c.id = r.client_id
    where tg_op <> 'DELETE' or c.mode = 'live'
  ) then
    raise exception 'charges of a closed period never change' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger closed_insert after insert on charges referencing new table as changed
  for each statement execute function refuse_change_of_closed_charges();
create trigger closed_update after update on charges referencing old table as changed
  for each statement execute function refuse_change_of_closed_charges();
create trigger closed_delete after delete on charges referencing old table as changed
  for each statement execute function refuse_change_of_closed_charges();
create trigger append_only before truncate on charges
  for each statement execute function refuse_change();

-- An act of a closed period, with the requisites of both sides as they were.
create table acts (
  client_id uuid not null,
  id uuid not null,
  number integer not null check (number > 0), -- consecutive within the client
  month date not null,
  day date not null, -- of the act: the last of the period
  provider jsonb not null,
  client jsonb not null,
  vat_rate smallint,
  vat_included boolean not null,
  amount bigint not null, -- the sum of the charges
  vat bigint not null,
  total bigint not null, -- to be paid
  created_at timestamptz(3) not null,
  created_by text not null,
  primary key (client_id, id),
  unique (client_id, number),
  unique (client_id, month),
  foreign key (client_id, month) references billing_periods,
  check (total = case when vat_included then amount else amount + vat end)
);
create trigger append_only before update or truncate on acts
  for each statement execute function refuse_change();
create trigger keep_live after delete on acts referencing old table as removed
  for each statement execute function refuse_delete_of_live();
