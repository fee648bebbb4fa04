-- Photos of scans that the warehouse refused when they came, until a manager accepts them.
alter table photos drop constraint photos_kind_check;
alter table photos add constraint photos_kind_check
  check (kind in ('receipt', 'return', 'order', 'count', 'stock_entry', 'scan_exception'));

-- Finds the exception of a unit that came back and was scanned without naming a batch, of any client.
create index scan_exceptions_by_scan on scan_exceptions (scan_id) where kind = 'return_scan_of_day';

-- What a set is made of decides whether the stock list shows it among the goods that marketplaces oversell.
create trigger version_insert after insert on set_parts referencing new table as changed
  for each statement execute function bump_stock_version();
create trigger version_update after update on set_parts referencing new table as changed
  for each statement execute function bump_stock_version();
create trigger version_delete after delete on set_parts referencing old table as changed
  for each statement execute function bump_stock_version();
