-- Shipments: batches of packed orders that a marketplace takes over at once.

create table shipments (
  client_id uuid not null references clients,
  id uuid not null,
  cabinet_id uuid not null,
  marketplace text not null,
  external_id text not null,
  name text,
  status text not null check (status in ('ASSEMBLING', 'HANDED_OVER', 'ACCEPTED')),
  announced_status text, -- as in receipts
  -- Made in the marketplace's cabinet: reserves nothing here.
  mirrored boolean not null default false,
  -- The marketplace creates it only with packed orders: it does when it is closed, and until then the number
  -- is ours.
  awaits_creation boolean not null default false,
  -- Of an observed cabinet: staff see it, sellers do not.
  observed boolean not null default false,
  orders_count integer not null default 0 check (orders_count >= 0),
  units bigint not null default 0 check (units >= 0), -- left the ledger when the shipment was closed
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  accepted_at timestamptz(3),
  primary key (client_id, id),
  unique (client_id, cabinet_id, external_id),
  foreign key (client_id, cabinet_id) references cabinets,
  check ((closed_at is null) = (status = 'ASSEMBLING')),
  check (not observed or (mirrored and units = 0)),
  check (not (mirrored and awaits_creation))
);
create index shipments_by_id on shipments (id);
create index shipments_by_number on shipments (external_id);
create index shipments_by_time on shipments (client_id, created_at desc, id desc) where not observed;
create index shipments_by_status on shipments (client_id, status, created_at desc, id desc)
  where not observed;
create index shipments_by_marketplace on shipments (client_id, marketplace, created_at desc, id desc)
  where not observed;
create index shipments_by_closing on shipments (client_id, closed_at) include (units)
  where closed_at is not null and not observed;
create index shipments_observed on shipments (client_id, created_at desc, id desc) where observed;
create index shipments_non_terminal on shipments (client_id, cabinet_id, created_at)
  where status in ('ASSEMBLING', 'HANDED_OVER');
-- All that are being assembled.
create index shipments_assembling on shipments (created_at, id) include (client_id)
  where status = 'ASSEMBLING' and not observed;
-- Empty as a rule.
create index shipments_unannounced on shipments (client_id, id) where status <> announced_status;

-- What sellers see. Their reads name this view; tests/architecture.test.ts finds one that names the table.
create view seller_shipments as select * from shipments where not observed;

-- Units of a mirrored shipment that left though the stock did not have them; managers see the list.
create table shipment_shortages (
  client_id uuid not null,
  shipment_id uuid not null,
  order_id uuid not null,
  line integer not null,
  barcode text collate "C",
  units integer not null check (units > 0),
  primary key (client_id, shipment_id, order_id, line),
  foreign key (client_id, shipment_id) references shipments
);

-- Points to which shipments of a cabinet may be brought, as its marketplace last listed them.
create table shipping_points (
  client_id uuid not null,
  cabinet_id uuid not null,
  id bigint not null, -- the marketplace's number
  name text not null,
  address text,
  city text,
  kind text, -- as the marketplace names it
  cargo_types integer[] not null,
  primary key (client_id, cabinet_id, id),
  foreign key (client_id, cabinet_id) references cabinets
);

-- Where shipments of a cabinet go unless staff choose otherwise.
create table shipping_defaults (
  client_id uuid not null,
  cabinet_id uuid not null,
  cargo_type integer not null,
  point_id bigint not null,
  type text not null,
  primary key (client_id, cabinet_id, cargo_type),
  foreign key (client_id, cabinet_id, point_id) references shipping_points
);

-- Where, how and when one shipment goes, as staff chose.
create table shipping_methods (
  client_id uuid not null,
  shipment_id uuid not null,
  cabinet_id uuid not null,
  point_id bigint not null,
  type text not null,
  ships_on date, -- null: the day of the hand-over
  primary key (client_id, shipment_id),
  foreign key (client_id, shipment_id) references shipments on delete cascade,
  foreign key (client_id, cabinet_id, point_id) references shipping_points
);
