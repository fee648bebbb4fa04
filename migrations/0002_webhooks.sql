-- Webhooks: subscriptions, events written in the transaction of the change, deliveries, attempts.

create table webhooks (
  client_id uuid not null references clients,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text,
  secret bytea not null, -- sealed with the service's key
  created_at timestamptz(3) not null,
  disabled_at timestamptz(3),
  disabled_reason text,
  last_delivery_at timestamptz(3),
  last_status_code integer,
  failures_in_row integer not null default 0,
  last_failure_at timestamptz(3),
  resting_until timestamptz(3), -- no attempt before, but pings that are asked for
  -- Whoever holds the lease sends for the subscription; nobody else does until it runs out.
  lease uuid,
  leased_until timestamptz(3),
  primary key (client_id, id)
) with (fillfactor = 70);
create index webhooks_by_time on webhooks (client_id, created_at desc, id desc);

create table events (
  client_id uuid not null references clients,
  id uuid not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  body text not null, -- the bytes that are sent, in UTF-8
  primary key (client_id, id)
);
create index events_by_time on events (occurred_at);

create table deliveries (
  client_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  last_attempt_at timestamptz(3),
  last_status_code integer,
  last_error text,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (client_id, id),
  check ((next_attempt_at is not null) = (status = 'PENDING'))
) with (fillfactor = 80);
create index deliveries_by_time on deliveries (client_id, webhook_id, created_at desc, id desc);
create index deliveries_by_status on deliveries (client_id, webhook_id, status, created_at desc, id desc);
create index deliveries_by_event on deliveries (client_id, event_id);
-- What is still to be sent: as small as the backlog, however long the log is.
create index deliveries_pending on deliveries (client_id, webhook_id, next_attempt_at)
  where status = 'PENDING';

create table delivery_attempts (
  client_id uuid not null,
  delivery_id uuid not null,
  attempt integer not null,
  at timestamptz(3) not null,
  status_code integer not null,
  error text,
  duration_ms integer not null,
  primary key (client_id, delivery_id, attempt)
);

-- What was last announced of each object: reconciliation announces the rest.
alter table receipts add announced_status text;
alter table shipments add announced_status text;
alter table orders add announced_status text;
update receipts set announced_status = status;
update shipments set announced_status = status;
update orders set announced_status = status;
create index receipts_unannounced on receipts (client_id, id) where status <> announced_status;
create index shipments_unannounced on shipments (client_id, id) where status <> announced_status;
create index orders_unannounced on orders (client_id, id) where status <> announced_status;

create table service_switches (
  name text primary key,
  enabled boolean not null
);
insert into service_switches values ('webhooks', true);
