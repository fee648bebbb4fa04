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
create index expected_returns_by_time on expected_returns (client_id, created_at desc, id desc);
create index expected_returns_by_state on expected_returns (client_id, state, created_at desc, id desc);
