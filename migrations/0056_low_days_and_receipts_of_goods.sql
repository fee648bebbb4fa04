-- The receipts of a product, the newest first: ids grow with time.
create index receipt_items_by_barcode on receipt_items (client_id, barcode, receipt_id);

-- Stock for fewer days than these is low to the user; null: as the code says.
alter table notice_people add column low_days smallint check (low_days between 1 and 90);

-- News of low stock concern the users who call so many days low. They are found once for each number that users of the client chose.
alter table news add column low_days smallint;

-- Orders are searched by their goods. The first line of an order is found by the order's own barcode; few orders have further ones.
create index order_lines_further on order_lines (client_id, barcode, order_id) where line > 1;
