-- What is due is read in the order in which it is sent, first attempts before repeats, and from however
-- long a backlog only what is read.

drop index deliveries_pending;
create index deliveries_pending
  on deliveries (client_id, webhook_id, (attempts > 0), next_attempt_at)
  where status = 'PENDING';
-- Pings that were asked for go first; there are hardly ever any.
create index deliveries_pings on deliveries (client_id, webhook_id)
  where status = 'PENDING' and event_type = 'webhook.ping' and attempts = 0;

-- The one delivery that all failures in a row were of; null where there are none, or several.
alter table webhooks add failing_alone uuid;
