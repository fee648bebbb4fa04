-- Sets: products that are made of others.

create table set_parts (
  client_id uuid not null,
  set_barcode text collate "C" not null,
  barcode text collate "C" not null, -- of the part
  units integer not null check (units between 1 and 1000),
  primary key (client_id, set_barcode, barcode),
  foreign key (client_id, set_barcode) references products,
  foreign key (client_id, barcode) references products
);
create index set_parts_by_part on set_parts (client_id, barcode);

-- Writers hold the client's row, so that no set becomes a part while it gets parts.
create function refuse_nested_sets() returns trigger language plpgsql as $$
begin
  if new.set_barcode = new.barcode or exists (
    select from set_parts s where s.client_id = new.client_id and (s.set_barcode = new.barcode or s.barcode = new.set_barcode)
  ) then
    raise exception 'a set has no sets as parts' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger no_nesting after insert or update on set_parts for each row execute function refuse_nested_sets();

-- Documents by which parts become sets, and sets parts. The units are movements that name the document.
create table set_assemblies (
  client_id uuid not null references clients,
  id uuid not null,
  set_barcode text collate "C" not null,
  kind text not null check (kind in ('ASSEMBLE', 'TAKE_APART')),
  units integer not null check (units > 0), -- of the set
  entry_id text, -- the caller's name of it: a repeated one makes no other
  comment text,
  at timestamptz(3) not null,
  actor text not null,
  undone_at timestamptz(3),
  undone_by text,
  primary key (client_id, id),
  foreign key (client_id, set_barcode) references products,
  check ((undone_at is null) = (undone_by is null))
);
create unique index set_assemblies_by_entry on set_assemblies (client_id, entry_id) where entry_id is not null;
create index set_assemblies_by_time on set_assemblies (client_id, at desc, id desc);

alter table stock_movements add column assembly_id uuid check (assembly_id is null or kind = 'correction');
create index stock_movements_by_assembly on stock_movements (client_id, assembly_id) where assembly_id is not null;

-- Sets of orders whose parts stand in order_lines in their place, as long as the order is in a shipment made here or has left.
create table order_sets (
  client_id uuid not null,
  order_id uuid not null,
  line integer not null, -- the line that the marketplace ordered; order_lines has none of this number meanwhile
  barcode text collate "C" not null,
  article text,
  item_id bigint,
  quantity integer not null check (quantity > 0),
  from_parts integer not null check (from_parts between 1 and quantity), -- the others are sets that lay ready
  optional_marks text[] not null default '{}',
  primary key (client_id, order_id, line),
  foreign key (client_id, order_id) references orders
);

alter table order_lines add column set_line integer; -- of order_sets, where the line is a part of it

-- What marketplaces ordered: order_lines has what is collected.
create view ordered_lines as
  select client_id, order_id, line, barcode, article, item_id, quantity, required_marks, optional_marks
    from order_lines where set_line is null
  union all
  select client_id, order_id, line, barcode, article, item_id, quantity, '{}', optional_marks from order_sets;
