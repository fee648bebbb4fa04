-- Lists of staff in other orders than the newest first, and views of them that managers share.

-- What waits to be handed over, by deadline: it stays small however long the history is.
create index orders_urgent on orders (client_id, deadline_at, id)
  where status in ('NEW', 'ASSEMBLING') and deadline_at is not null;
create index receipts_by_plan on receipts (client_id, planned_date, id) where planned_date is not null;
-- The movements that somebody gave a reason for are few of the ledger.
create index stock_movements_by_reason on stock_movements (client_id, reason, at) where reason is not null;

-- The observed orders of one status; orders_by_status has all others.
create index orders_observed_by_status on orders (client_id, status, created_at desc, id desc) where observed;
create index shipments_observed_by_status on shipments (client_id, status, created_at desc, id desc) where observed;

create table staff_list_views (
  id uuid primary key,
  list text not null,
  name text not null,
  query text not null, -- of the list's address
  saved_by uuid not null references staff_users,
  saved_at timestamptz(3) not null,
  unique (saved_by, list, name)
);
create index staff_list_views_by_list on staff_list_views (list, name, id);
