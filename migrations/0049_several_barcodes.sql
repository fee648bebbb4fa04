-- Several barcodes of one product.

-- The barcode as staff gave it to the product; null for the product's own barcode and its spellings. A barcode that is a GTIN has a
-- row for each spelling.
alter table barcode_aliases add column added text;
-- Finds a scanned barcode among all clients.
create index barcode_aliases_added on barcode_aliases (spelling text_pattern_ops, client_id) where added is not null;

-- A barcode that is no GTIN is claimed, too, so that it cannot become another product's at the same time.
insert into barcode_aliases (client_id, spelling, barcode)
select client_id, barcode, barcode from products on conflict do nothing;
