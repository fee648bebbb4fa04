-- Marketplaces: how far syncing has come, product cards, and commands to a marketplace.

-- One row for each connected cabinet. The holder of the lease syncs it.
create table cabinet_syncs (
  client_id uuid not null,
  cabinet_id uuid not null,
  connected_at timestamptz(3) not null, -- with the first credentials, whatever they are now
  next_at timestamptz not null,
  lease uuid,
  leased_until timestamptz,
  started_at timestamptz,
  failures integer not null default 0,
  credentials_refused boolean not null default false,
  credentials_expire_at timestamptz(3),
  -- How far each part has come; null: it has never run.
  orders_from timestamptz(3),
  shipments_from timestamptz(3),
  cards_cursor text,
  cards_at timestamptz(3),
  cards_failure text, -- cards that the last walk could not read; null: none
  stock_at timestamptz(3),
  access_at timestamptz(3),
  reshipments_at timestamptz(3),
  returns_at timestamptz(3),
  labels_at timestamptz(3),
  giveout_code text, -- shows a pickup point that staff may fetch the returns of this account
  terminal_checked_at timestamptz(3), -- when the statuses of terminal orders were last requested
  terminal_after text, -- where that stopped; null: at the oldest
  -- When the next run was planned. After the database's clock went back, such a moment is ahead: then the run is due at once,
  -- and not when the clock is there again.
  planned_at timestamptz,
  primary key (client_id, cabinet_id),
  foreign key (client_id, cabinet_id) references cabinets on delete cascade
) with (fillfactor = 70);
create index cabinet_syncs_due on cabinet_syncs (next_at);

-- Orders of other warehouses and schemes: not stored, only counted, for some time after their creation.
create table left_out_orders (
  client_id uuid not null,
  cabinet_id uuid not null,
  external_id text not null,
  warehouse_id text,
  created_at timestamptz(3) not null,
  primary key (client_id, cabinet_id, external_id),
  foreign key (client_id, cabinet_id) references cabinets on delete cascade
);
create index left_out_orders_by_time on left_out_orders (client_id, cabinet_id, created_at desc);

create table marketplace_cards (
  client_id uuid not null,
  cabinet_id uuid not null,
  item_id bigint not null,
  barcodes text[] collate "C" not null,
  article text,
  name text not null,
  honest_mark boolean, -- null: the marketplace does not say
  primary key (client_id, cabinet_id, item_id),
  foreign key (client_id, cabinet_id) references cabinets
);

-- Finds the cards that have a barcode. Triggers of the cards keep it.
create table card_barcodes (
  client_id uuid not null,
  barcode text collate "C" not null,
  cabinet_id uuid not null,
  item_id bigint not null,
  primary key (client_id, barcode, cabinet_id, item_id),
  foreign key (client_id, cabinet_id, item_id) references marketplace_cards on delete cascade
);
create index card_barcodes_by_card on card_barcodes (client_id, cabinet_id, item_id);

create function index_card_barcodes() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from card_barcodes b using changed c
      where b.client_id = c.client_id and b.cabinet_id = c.cabinet_id and b.item_id = c.item_id
        and b.barcode <> all (c.barcodes);
  end if;
  insert into card_barcodes (client_id, barcode, cabinet_id, item_id)
    select distinct c.client_id, b.barcode, c.cabinet_id, c.item_id
      from changed c cross join unnest(c.barcodes) as b (barcode)
      order by 1, 2, 3, 4
    on conflict do nothing;
  return null;
end $$;
create trigger index_inserted after insert on marketplace_cards referencing new table as changed
  for each statement execute function index_card_barcodes();
create trigger index_updated after update on marketplace_cards referencing new table as changed
  for each statement execute function index_card_barcodes();

-- Commands to a marketplace about a shipment of ours, recorded before the call and finished after it.
-- States: exchange/marketplaces/coordination/state.ts.
create table remote_commands (
  client_id uuid not null,
  id uuid not null, -- grows with time
  cabinet_id uuid not null,
  shipment_id uuid,
  kind text not null check (kind in ('create', 'create_late', 'add_orders', 'remove_order', 'hand_over', 'cancel',
    'split', 'set_boxes', 'add_boxes', 'remove_boxes')),
  detail jsonb not null,
  state text not null check (state in ('requested', 'done', 'refused')),
  message text, -- the reason of a refusal, or a note; in Russian
  refused_orders jsonb not null default '[]', -- orders that the marketplace refused while others joined
  actor text not null,
  requested_at timestamptz(3) not null,
  attempted_at timestamptz(3), -- the marketplace may know of the command from here on; null: it does not
  finished_at timestamptz(3),
  primary key (client_id, id),
  foreign key (client_id, cabinet_id) references cabinets,
  check ((finished_at is null) = (state = 'requested'))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index remote_commands_newest on remote_commands (client_id, cabinet_id, id desc);
create index remote_commands_open on remote_commands (client_id, cabinet_id, requested_at)
  where state = 'requested';
-- What may not change in a shipment while a command for it is open.
create index remote_commands_of_shipment on remote_commands (client_id, shipment_id)
  where state = 'requested';
create index remote_commands_creation
  on remote_commands (client_id, cabinet_id, (detail ->> 'externalId'))
  where kind = 'create' and state <> 'refused';
-- Creations that were refused lately: the marketplace may still carry them out.
create index remote_commands_abandoned on remote_commands (client_id, cabinet_id, requested_at)
  where kind = 'create' and state = 'refused';

-- Token buckets of sellers' accounts, shared by all processes and unlogged like rate_buckets. Several
-- cabinets may belong to one account. Times are in microseconds since 1970.
create unlogged table marketplace_buckets (
  account text collate "C" primary key, -- a hash, which says nothing about the credentials
  full_at bigint not null,
  held_until bigint not null, -- the marketplace wants no call before
  -- When the hold was made. After the database's clock went back, such a moment is ahead: then the hold lasts as long as it was
  -- meant to, and not until the clock is there again.
  held_at bigint not null default 0
) with (fillfactor = 50);

-- Raw calls of cabinets for which a manager has switched it on, without buyers and credentials. Bounded by
-- age, number and size of each cabinet (exchange/marketplaces/recording/store.ts).
create table recorded_calls (
  client_id uuid not null,
  cabinet_id uuid not null,
  id bigint not null generated always as identity,
  at timestamptz(3) not null,
  call text not null, -- method and path, with {id} in place of numbers
  method text not null,
  path text not null,
  query jsonb not null,
  request_body text, -- JSON; null: none, or omitted
  request_note text check (request_note in ('shortened', 'omitted')),
  status integer, -- null: no answer
  headers jsonb not null,
  answer_body text, -- as request_body
  answer_note text check (answer_note in ('shortened', 'omitted')),
  answer_bytes integer not null,
  duration_ms integer not null,
  failure text,
  primary key (client_id, id),
  foreign key (client_id, cabinet_id) references cabinets on delete cascade
);
create index recorded_calls_newest on recorded_calls (client_id, cabinet_id, id desc);
create index recorded_calls_by_call on recorded_calls (client_id, cabinet_id, call, id);
create index recorded_calls_by_time on recorded_calls (at);
