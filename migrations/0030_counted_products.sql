-- How many products a client has, kept beside the version of its stock: a page of stock costs the same however many there are.

-- In the order in which running verbs come to them.
lock table products, stock_versions in access exclusive mode;

alter table stock_versions add column products bigint not null default 0;

create function keep_counted_products() returns trigger language plpgsql as $$
begin
  insert into stock_versions as v (client_id, slot, version, products)
    select client_id, pg_backend_pid() % 16, version_step(), case tg_op when 'INSERT' then count(*) else -count(*) end
    from changed group by client_id order by client_id
    on conflict (client_id, slot) do update set version = v.version + excluded.version, products = v.products + excluded.products;
  return null;
end $$;
drop trigger version_insert on products;
drop trigger version_delete on products;
create trigger version_insert after insert on products referencing new table as changed
  for each statement execute function keep_counted_products();
create trigger version_delete after delete on products referencing old table as changed
  for each statement execute function keep_counted_products();

-- Of what is there already. A version stays as it is: the answers that were made for it are still right.
insert into stock_versions as v (client_id, slot, version, products)
  select client_id, 0, 0, count(*) from products group by client_id
  on conflict (client_id, slot) do update set products = excluded.products;

-- Finds a barcode among all clients and gives no order by barcode: in the order of the former index the server read the products of
-- all clients for a page of one of them.
drop index products_by_barcode;
create index products_by_barcode on products (barcode text_pattern_ops, client_id);
