-- Lists of staff by a filter in another order: what one of them alone has, the other was looked for in.

create index orders_by_marketplace_status on orders (client_id, marketplace, status, created_at desc, id desc)
  where not observed;
create index orders_observed_by_marketplace on orders (client_id, marketplace, created_at desc, id desc) where observed;
create index shipments_by_marketplace_status on shipments (client_id, marketplace, status, created_at desc, id desc)
  where not observed;
create index shipments_observed_by_marketplace on shipments (client_id, marketplace, created_at desc, id desc)
  where observed;
create index receipts_approved on receipts (client_id, created_at desc, id desc) where approved_at is not null;
create index return_batches_by_cabinet on return_batches (client_id, cabinet_id, created_at desc, id desc);
