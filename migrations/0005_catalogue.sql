-- Products: what a client stores, by barcode.

create table products (
  client_id uuid not null references clients,
  barcode text collate "C" not null,
  name text not null,
  article text,
  honest_mark boolean not null default false, -- each unit carries a marking code
  -- Folded by the service, so that search does not depend on the database's locale.
  name_folded text not null,
  article_folded text,
  created_at timestamptz(3) not null,
  primary key (client_id, barcode)
);
create index products_by_barcode on products (barcode);
-- Staff find goods of any client by the beginnings of their words (lookup/goods-by-name.ts).
create index products_by_words on products
  using gin (to_tsvector('simple', translate(name_folded, '-/_.,', '     ')));
create index products_by_article on products (client_id, article) where article is not null;
