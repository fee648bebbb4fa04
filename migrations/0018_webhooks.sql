-- Webhook subscriptions. Each is a queue that one process at a time leases to send from it.

create table webhook_subscriptions (
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
  sole_failing_delivery uuid, -- the one delivery that all failures in a row belong to; null: none or several
  last_failure_at timestamptz(3),
  paused_until timestamptz(3), -- no attempt before, except pings that the client asks for
  -- Only the holder of the lease sends for the subscription, until the lease expires.
  lease uuid,
  leased_until timestamptz(3),
  primary key (client_id, id)
) with (fillfactor = 70);
create index webhook_subscriptions_by_id on webhook_subscriptions (id);
create index webhook_subscriptions_by_time
  on webhook_subscriptions (client_id, created_at desc, id desc);
create index webhook_subscriptions_disabled on webhook_subscriptions (client_id) where disabled_at is not null;
