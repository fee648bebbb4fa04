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
-- Finds a barcode among all clients. It gives no order by barcode: with one, the server read the products of all clients for a page of one.
create index products_by_barcode on products (barcode text_pattern_ops, client_id);
-- Staff find goods of any client by the beginnings of their words (warehouse/lookup/goods-by-name.ts).
create index products_by_words on products
  using gin (to_tsvector('simple', translate(name_folded, '-/_.,', '     ')));
create index products_by_article on products (client_id, article) where article is not null;

-- A GTIN is written with 8, 12, 13 or 14 digits, and goods of one GTIN are one product. Each spelling names the product that the
-- client had first.
create table barcode_aliases (
  client_id uuid not null references clients,
  spelling text not null,
  barcode text not null, -- of a product of the client
  primary key (client_id, spelling)
);
create index barcode_aliases_by_barcode on barcode_aliases (client_id, barcode);

-- The spellings of a GTIN, that of the given barcode too; none for any other barcode. The last digit checks the others: from the right they
-- count three times and once in turn.
create function gtin_spellings(barcode text) returns setof text language sql immutable parallel safe strict as $$
  select right(g.digits, length) from (select lpad(barcode, 14, '0') as digits) g
  cross join unnest(array[8, 12, 13, 14]) length
  where barcode ~ '^([0-9]{8}|[0-9]{12,14})$' and g.digits ~ '[1-9]'
    and left(g.digits, 14 - length) !~ '[1-9]'
    and (
      select sum(digit::integer * (1 + 2 * (place % 2))) % 10 = 0
      from string_to_table(g.digits, null) with ordinality d (digit, place)
    )
$$;
