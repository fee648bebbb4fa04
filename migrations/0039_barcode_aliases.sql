-- A GTIN is written with 8, 12, 13 or 14 digits, and goods of one GTIN are one product. Each spelling names the product that the
-- client had first. Goods that had become several products before stay so; the others are listed for staff.

-- Nobody adds products meanwhile.
lock table products in share row exclusive mode;

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

insert into barcode_aliases (client_id, spelling, barcode)
  select distinct on (p.client_id, s.spelling) p.client_id, s.spelling, p.barcode
  from products p cross join lateral gtin_spellings(p.barcode) s (spelling)
  order by p.client_id, s.spelling, p.created_at, p.barcode collate "C";
