-- The outbox: events, written in the transaction of the change that they announce, and the log of their
-- deliveries to webhook subscriptions. The pending rows of the log are the queue of what is to be sent.

create table events (
  client_id uuid not null references clients,
  id uuid not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  body text not null, -- the bytes that are sent, in UTF-8
  -- The order in which transactions wrote events: of one object, the order of its changes.
  number bigint not null generated always as identity,
  position bigint, -- in the client's feed; null until somebody reads so far
  primary key (client_id, id)
);
create index events_by_time on events (occurred_at);
create index events_of_client_by_time on events (client_id, occurred_at, number);
create unique index events_by_position on events (client_id, position) where position is not null;
create index events_unplaced on events (client_id, number)
  where position is null and type <> 'webhook.ping';

-- Clients whose events are recorded: those with a subscription, and those who read the feed.
create table event_feeds (
  client_id uuid primary key references clients,
  recording uuid not null, -- positions hold for one recording
  since timestamptz(3), -- recorded from here on; null: not recorded any more
  first_number bigint not null, -- the recording's events have a higher number
  used_at timestamptz(3) not null, -- last reading or last change of subscriptions, about
  last_position bigint not null default 0,
  dropped_position bigint not null default 0, -- events up to here are no longer kept
  check (dropped_position between 0 and last_position)
);

create table webhook_deliveries (
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
create index webhook_deliveries_by_time
  on webhook_deliveries (client_id, webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_status
  on webhook_deliveries (client_id, webhook_id, status, created_at desc, id desc);
create index webhook_deliveries_by_event on webhook_deliveries (client_id, event_id);
-- The backlog in the order of sending: first attempts before repeats. Its size does not depend on the log's.
create index webhook_deliveries_pending
  on webhook_deliveries (client_id, webhook_id, (attempts > 0), next_attempt_at)
  where status = 'PENDING';
-- Pings that the client asks for go first; there are hardly ever any.
create index webhook_deliveries_pings on webhook_deliveries (client_id, webhook_id)
  where status = 'PENDING' and event_type = 'webhook.ping' and attempts = 0;

create table webhook_attempts (
  client_id uuid not null,
  delivery_id uuid not null,
  attempt integer not null,
  at timestamptz(3) not null,
  status_code integer not null, -- 0: no answer
  error text,
  duration_ms integer not null,
  primary key (client_id, delivery_id, attempt)
);
