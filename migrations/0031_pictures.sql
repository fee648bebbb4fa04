-- Pictures of goods: fetched once from the addresses that cards name, or uploaded by staff.

-- The picture of a card; null: the marketplace names none, or nothing has read it yet.
alter table marketplace_cards add column picture_url text;
-- Cards of WB that were read before are read once more, for theirs. OZON lists all cards each time.
update cabinet_syncs s set cards_cursor = null, cards_at = null from cabinets k
  where k.client_id = s.client_id and k.id = s.cabinet_id and k.marketplace = 'WB';

-- Bytes as they came, once a client, however many of its goods show them. The service does not decode them.
create table pictures (
  client_id uuid not null references clients,
  hash bytea not null, -- SHA-256 of the bytes
  type text not null check (type in ('image/jpeg', 'image/png', 'image/webp')),
  bytes bytea not null check (octet_length(bytes) between 1 and 2097152),
  unused_since timestamptz(3), -- no product shows it; null: one does
  primary key (client_id, hash)
);
-- Pictures are compressed already.
alter table pictures alter column bytes set storage external;
create index pictures_unused on pictures (client_id, unused_since) where unused_since is not null;

create table product_pictures (
  client_id uuid not null,
  barcode text collate "C" not null,
  uploaded bytea, -- by staff; goes before that of the card
  card_url text, -- as the card names it
  fetched bytea, -- from the card
  due_at timestamptz(3), -- when card_url is fetched next; null: it was fetched or given up, or there is none
  attempts integer not null default 0, -- to fetch card_url
  primary key (client_id, barcode),
  foreign key (client_id, barcode) references products,
  foreign key (client_id, uploaded) references pictures,
  foreign key (client_id, fetched) references pictures,
  check (due_at is null or card_url is not null)
) with (fillfactor = 80);
create index product_pictures_by_uploaded on product_pictures (client_id, uploaded) where uploaded is not null;
create index product_pictures_by_fetched on product_pictures (client_id, fetched) where fetched is not null;
create index product_pictures_due on product_pictures (due_at) where due_at is not null;
