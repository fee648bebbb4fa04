-- Marketplaces: rounds of syncing, cards of goods, mirrored shipments, what is asked of a cabinet.

-- One row a connected cabinet. Whoever holds the lease syncs it; times are the database's own.
create table cabinet_syncs (
  client_id uuid not null,
  cabinet_id uuid not null,
  -- By the first key, whichever it has now.
  connected_at timestamptz(3) not null,
  next_at timestamptz not null,
  lease uuid,
  leased_until timestamptz,
  started_at timestamptz,
  failures integer not null default 0,
  -- How far each part has come; null: never.
  orders_from timestamptz(3),
  shipments_from timestamptz(3),
  cards_mark text,
  cards_at timestamptz(3),
  stock_at timestamptz(3),
  access_at timestamptz(3),
  credentials_refused boolean not null default false,
  credentials_expire_at timestamptz(3),
  primary key (client_id, cabinet_id),
  foreign key (client_id, cabinet_id) references cabinets on delete cascade
) with (fillfactor = 70);
create index cabinet_syncs_due on cabinet_syncs (next_at);
create index cabinets_connected on cabinets (client_id, id) where credentials is not null and active;

create table marketplace_cards (
  client_id uuid not null,
  cabinet_id uuid not null,
  item_id bigint not null,
  barcodes text[] collate "C" not null,
  article text,
  name text not null,
  nm_id bigint,
  honest_mark boolean not null,
  primary key (client_id, cabinet_id, item_id),
  foreign key (client_id, cabinet_id) references cabinets
);

-- The marketplace's number of the goods: a card that comes later tells their barcode.
alter table order_lines add item_id bigint;

-- Shipments made in the marketplace's own cabinet: they reserve nothing, and what they took beyond
-- the stock is listed for managers.
alter table shipments add mirrored boolean not null default false;
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

-- What is asked of a cabinet for a shipment of ours: written before the call and after it.
create table cabinet_tasks (
  client_id uuid not null,
  id uuid not null,
  cabinet_id uuid not null,
  shipment_id uuid,
  kind text not null check (kind in ('create', 'fill', 'deliver')),
  detail jsonb not null,
  state text not null check (state in ('asked', 'done', 'refused')),
  error text,
  actor text not null,
  asked_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (client_id, id),
  foreign key (client_id, cabinet_id) references cabinets,
  check ((ended_at is null) = (state = 'asked'))
);
create index cabinet_tasks_asked on cabinet_tasks (client_id, cabinet_id, asked_at) where state = 'asked';

-- Orders whose marketplace still has something to tell, however long the history is. Rows have room
-- for the moment of the last answer to change in place.
create index orders_open on orders (client_id, cabinet_id, external_id collate "C")
  where status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER');
alter table orders set (fillfactor = 85);
create index shipments_unfinished on shipments (client_id, cabinet_id, created_at)
  where status in ('ASSEMBLING', 'HANDED_OVER');
create index cabinet_tasks_creation
  on cabinet_tasks (client_id, cabinet_id, (detail ->> 'externalId'))
  where kind = 'create' and state <> 'refused';

-- Orders may name their goods by article alone; papers of deliveries name the seller's own document.
create index products_by_article on products (client_id, article) where article is not null;
create index receipts_by_ref on receipts (client_id, external_ref) where external_ref is not null;

-- How many orders left with the shipment; null while it is collected.
alter table picking_tasks add shipped_count integer;
