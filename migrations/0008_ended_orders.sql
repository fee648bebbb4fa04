-- Orders that ended are asked about for some time after their creation: the end itself may change. An
-- order gets its entry once, when it ends; the moment of the last answer stays out of the index, so
-- that it still changes in place.
create index orders_ended on orders (client_id, cabinet_id, created_at desc, id desc)
  where status in ('COMPLETED', 'CANCELLED');
