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
