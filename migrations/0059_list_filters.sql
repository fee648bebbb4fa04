-- Lists of staff by filters that had no index: a rare value was looked for in the whole history.

create index pick_misses_decided on pick_misses (client_id, at desc, id desc)
  where outcome in ('look_elsewhere', 'correct_stock', 'remove_order', 'tell_seller');
create index scan_exceptions_by_kind on scan_exceptions (client_id, kind, created_at desc, id desc);
-- The observed orders of one product; orders_by_barcode has all others.
create index orders_observed_by_barcode on orders (client_id, barcode, created_at desc, id desc) where observed;
