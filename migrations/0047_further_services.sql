-- Facts of services that a tariff may name: pallets of a receipt, boxes of a shipment, counts and labels at the client's wish.

-- On how many pallets the boxes of a receipt stood when its counting ended.
alter table receipts add column pallets integer not null default 0 check (pallets >= 0);

-- The client wished it: what was counted is charged when it is closed.
alter table stock_counts add column for_client boolean not null default false;

-- Boxes that a shipment had when it was handed over follow from what was asked of the marketplace.
create index remote_commands_of_boxes on remote_commands (client_id, shipment_id, id)
  where state = 'done' and kind in ('add_boxes', 'remove_boxes');

-- Labels with barcodes of goods that were printed at the client's wish. The same print_id again is the same print.
create table goods_labels (
  client_id uuid not null,
  print_id text not null,
  barcode text collate "C" not null,
  labels integer not null check (labels > 0),
  at timestamptz(3) not null,
  actor text not null,
  primary key (client_id, print_id, barcode),
  foreign key (client_id, barcode) references products
);
create index goods_labels_by_time on goods_labels (client_id, at);

-- Measures of the packed goods, as the card says them; null: it says none.
alter table marketplace_cards
  add column length_mm integer check (length_mm between 1 and 10000),
  add column width_mm integer check (width_mm between 1 and 10000),
  add column height_mm integer check (height_mm between 1 and 10000),
  add column weight_g integer check (weight_g between 1 and 1000000),
  add check ((length_mm is null) = (width_mm is null) and (length_mm is null) = (height_mm is null));

-- In which warehouse a client was from a day on. Clients that never moved have no rows: clients.warehouse_code holds.
create table client_warehouses (
  client_id uuid not null references clients,
  first_day date not null,
  warehouse_code text not null, -- never removed, as no warehouse is
  primary key (client_id, first_day)
);

create function client_warehouse_on(client uuid, day date, otherwise text) returns text language sql stable as $$
  select coalesce((
    select warehouse_code from client_warehouses
    where client_id = client and first_day <= day order by first_day desc limit 1), otherwise)
$$;

-- Months that were closed before there was a history say where the client was.
insert into client_warehouses (client_id, first_day, warehouse_code)
  select client_id, month, warehouse_code from billing_periods p
  where exists (
    select from billing_periods o where o.client_id = p.client_id and o.warehouse_code <> p.warehouse_code);

-- A move changes what its day costs.
create function compute_moved_anew() returns trigger language plpgsql as $$
begin
  update billing_periods p set computed_at = null from moved m
    where p.client_id = m.client_id and p.closed_at is null;
  return null;
end $$;
create trigger compute_inserted after insert on client_warehouses referencing new table as moved
  for each statement execute function compute_moved_anew();
create trigger compute_updated after update on client_warehouses referencing new table as moved
  for each statement execute function compute_moved_anew();

-- A month in which the client moved has an act for each warehouse; null: the act is for all of the month.
alter table acts add column warehouse_code text;
alter table acts drop constraint acts_client_id_month_key,
  add constraint acts_of_month unique nulls not distinct (client_id, month, warehouse_code);
