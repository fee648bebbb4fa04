-- The outbox: events, written in the transaction of the change that they announce, and their deliveries to webhook subscriptions.
-- Events and the log of their deliveries are in partitions by the day of the event, which retention drops whole. What waits to be
-- sent has a small table of its own. A new database has only the default partitions until the service runs, so that a backup brings its own.

-- The lowest id of a moment: ids begin with the milliseconds since 1970.
create function first_id(at timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
create function moment_of_id(id uuid) returns timestamptz language sql immutable strict parallel safe as $$
  select to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;
create function day_of_id(id uuid) returns date language sql immutable strict parallel safe as $$
  select (moment_of_id(id) at time zone 'UTC')::date
$$;

create table events (
  client_id uuid not null,
  id uuid not null, -- begins with the moment of the event, about occurred_at
  type text not null,
  occurred_at timestamptz(3) not null,
  body text not null, -- the bytes that are sent, in UTF-8
  -- The order in which transactions wrote events: of one object, the order of its changes.
  number bigint not null generated always as identity,
  position bigint, -- in the client's feed; null until somebody reads so far
  primary key (client_id, id)
) partition by range (id);
-- Unique, too: positions are given under the lock of the feed.
create index events_by_position on events (client_id, position) where position is not null;
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

-- The queue: deliveries that are still to be sent, with what is known of their last attempt.
create table pending_deliveries (
  client_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  attempts integer not null default 0,
  last_attempt_at timestamptz(3),
  last_status_code integer, -- 0: no answer
  last_error text,
  last_duration_ms integer,
  earlier_attempts jsonb, -- before the last one, the oldest first
  next_attempt_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (client_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- The order of sending: first attempts before repeats. Without the client, so that nothing but the key looks like the way to one
-- delivery of a client, however small the table is when a plan is made.
create index pending_deliveries_in_order
  on pending_deliveries (webhook_id, (attempts > 0), next_attempt_at);
-- Pings that the client asks for go first; there are hardly ever any.
create index pending_deliveries_pings on pending_deliveries (webhook_id)
  where event_type = 'webhook.ping' and attempts = 0;

-- The log: deliveries of which no attempt follows. They lie beside their events and end with them.
create table ended_deliveries (
  client_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null check (status in ('DELIVERED', 'FAILED')),
  attempts integer not null,
  last_attempt_at timestamptz(3),
  last_status_code integer,
  last_error text,
  last_duration_ms integer,
  earlier_attempts jsonb,
  created_at timestamptz(3) not null,
  primary key (client_id, id, event_id)
) partition by range (event_id);
create index ended_deliveries_by_status
  on ended_deliveries (client_id, webhook_id, status, created_at desc, id desc);
create index ended_deliveries_by_event on ended_deliveries (client_id, event_id);

-- All deliveries. A list reads the two tables by their own indexes.
create view webhook_deliveries as
  select client_id, id, webhook_id, event_id, event_type, 'PENDING'::text as status, attempts, last_attempt_at,
    last_status_code, last_error, last_duration_ms, earlier_attempts, next_attempt_at, created_at
  from pending_deliveries
  union all
  select client_id, id, webhook_id, event_id, event_type, status, attempts, last_attempt_at,
    last_status_code, last_error, last_duration_ms, earlier_attempts, null::timestamptz(3), created_at
  from ended_deliveries;

-- The attempts of a delivery: the earlier ones, and the last one.
create function attempts_of(earlier jsonb, attempts integer, last_at timestamptz, last_status_code integer, last_error text,
    last_duration_ms integer)
  returns table (attempt integer, at timestamptz, status_code integer, error text, duration_ms integer)
  language sql stable parallel safe as $$
  select number::integer, (made ->> 'at')::timestamptz, (made ->> 'status_code')::integer, made ->> 'error',
    (made ->> 'duration_ms')::integer
  from jsonb_array_elements(earlier) with ordinality as e (made, number)
  union all
  select attempts, last_at, last_status_code, last_error, last_duration_ms where attempts > 0
$$;
create view webhook_attempts as
  select d.client_id, d.webhook_id, d.event_id, d.event_type, d.id as delivery_id, d.created_at as delivery_created_at, a.*
  from webhook_deliveries d cross join lateral attempts_of(d.earlier_attempts, d.attempts, d.last_attempt_at,
    d.last_status_code, d.last_error, d.last_duration_ms) a;

-- How many deliveries the log of a subscription has, by the day of their events: the list of deliveries shows it with every page, and
-- counting the log itself took longer the longer the log was. Triggers keep it.
create table delivery_tallies (
  client_id uuid not null,
  webhook_id uuid not null,
  day date not null, -- of the event, in UTC: partitions of events begin and end with such a day
  delivered bigint not null,
  failed bigint not null,
  primary key (client_id, webhook_id, day)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- Tallies of a subscription change under the lock of its row, and each statement takes them in the order of their keys.
create function tally_deliveries() returns trigger language plpgsql as $$
declare
  change constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into delivery_tallies as t (client_id, webhook_id, day, delivered, failed)
    select client_id, webhook_id, day_of_id(event_id),
      change * count(*) filter (where status = 'DELIVERED'), change * count(*) filter (where status = 'FAILED')
    from changed group by 1, 2, 3 order by 1, 2, 3
    on conflict (client_id, webhook_id, day) do update set
      delivered = t.delivered + excluded.delivered, failed = t.failed + excluded.failed;
  return null;
end $$;
create trigger tally_insert after insert on ended_deliveries referencing new table as changed
  for each statement execute function tally_deliveries();
create trigger tally_delete after delete on ended_deliveries referencing old table as changed
  for each statement execute function tally_deliveries();

-- The one change that the log knows: an attempt that was under way when its subscription was disabled has succeeded.
create function tally_turned_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_tallies as t (client_id, webhook_id, day, delivered, failed)
    select client_id, webhook_id, day_of_id(event_id), sum(delivered), -sum(delivered)
    from (
      select client_id, webhook_id, event_id, (status = 'DELIVERED')::integer as delivered from added
      union all
      select client_id, webhook_id, event_id, -(status = 'DELIVERED')::integer from removed
    ) c
    group by 1, 2, 3 having sum(delivered) <> 0 order by 1, 2, 3
    on conflict (client_id, webhook_id, day) do update set
      delivered = t.delivered + excluded.delivered, failed = t.failed + excluded.failed;
  return null;
end $$;
create trigger tally_update after update on ended_deliveries referencing new table as added old table as removed
  for each statement execute function tally_turned_deliveries();

-- The default partition takes an event of a day that has no partition, so no event is refused.
create table events_default partition of events default
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create table ended_deliveries_default partition of ended_deliveries default
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Partitions but the default ones, with the moments at which each begins and ends.
create view event_partitions as
  select c.oid::regclass as partition,
    moment_of_id(substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \('([^']+)'\)$$)::uuid) as start,
    moment_of_id(substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \('([^']+)'\)$$)::uuid) as finish
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent in ('events'::regclass, 'ended_deliveries'::regclass)
    and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT';

-- Opens the partitions of both tables for events of a span of time, and moves what lies in the default ones.
create function open_event_partition(start timestamptz, finish timestamptz) returns void language plpgsql as $$
declare
  parent text;
  key text;
  part text;
begin
  for parent, key in values ('events', 'id'), ('ended_deliveries', 'event_id') loop
    part := parent || '_' || to_char(start at time zone 'UTC', 'YYYYMMDD');
    execute format('create table %I (like %I including constraints including indexes)
      with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02)', part, parent);
    execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *)
      insert into %5$I select * from moved', parent || '_default', key, first_id(start), first_id(finish), part);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
      parent, part, first_id(start), first_id(finish));
  end loop;
end $$;

-- Opens partitions up to a week ahead. Many reads look into every partition, so each holds a tenth of the retention, in whole
-- days; it ends earlier where a clock that ran ahead has opened later ones. Does nothing while somebody writes events or reads a default
-- partition for longer than the timeout, or when there is too much in it to move under a lock.
create function open_event_partitions(now timestamptz, retention_days integer) returns integer
  language plpgsql set lock_timeout = '500ms' as $$
declare
  span constant interval := make_interval(days => ceil(retention_days / 10.0)::integer);
  today constant timestamptz := date_trunc('day', now, 'UTC');
  ahead constant timestamptz := now + interval '7 days';
  begin_at timestamptz;
  end_at timestamptz;
  opened integer := 0;
begin
  if (select max(p.finish) from event_partitions p where p.start <= ahead) > ahead then return 0; end if;
  -- Nobody writes meanwhile: a statement that waited to write to a default partition would fail, where its row has another one now.
  lock table only events, only ended_deliveries in share row exclusive mode;
  lock table events_default, ended_deliveries_default in access exclusive mode;
  loop
    begin_at := greatest(today, (select max(p.finish) from event_partitions p where p.start <= ahead));
    end_at := least(begin_at + span, (select min(p.start) from event_partitions p where p.start >= begin_at));
    exit when begin_at > ahead
      or exists (select from events_default where id >= first_id(begin_at) and id < first_id(end_at) offset 100000)
      or exists (select from ended_deliveries_default
        where event_id >= first_id(begin_at) and event_id < first_id(end_at) offset 100000);
    perform open_event_partition(begin_at, end_at);
    opened := opened + 1;
  end loop;
  return opened;
exception when lock_not_available then
  return 0;
end $$;

-- Drops the partitions of events from before a moment, with what is still to be sent of them; of the default partition, which is
-- empty as a rule, up to 5,000 events. Tells whether it did; not while somebody reads events for longer than the timeout.
create function drop_old_events(before timestamptz) returns boolean
  language plpgsql set lock_timeout = '500ms' as $$
declare
  -- Events with lower ids go.
  bound uuid;
  strays uuid[];
  old regclass;
begin
  bound := first_id((select max(finish) from event_partitions where finish <= before));
  strays := array(select id from events_default where id < first_id(before) order by id limit 5000);
  if bound is null and strays = '{}' then return false; end if;
  perform forget_positions(coalesce(bound, '00000000-0000-0000-0000-000000000000'), strays);
  lock table only events, only ended_deliveries in access exclusive mode;
  delete from pending_deliveries where event_id < bound or event_id = any(strays);
  -- Not from the default partition by its name: the trigger of the tallies fires for the table alone.
  delete from ended_deliveries where event_id = any(strays);
  delete from delivery_tallies t where t.day <= (before at time zone 'UTC')::date and (t.delivered = 0 and t.failed = 0 or exists (
    select from event_partitions p
    where p.finish <= before and t.day >= (p.start at time zone 'UTC')::date and t.day < (p.finish at time zone 'UTC')::date));
  delete from events_default where id = any(strays);
  foreach old in array array(select partition from event_partitions where finish <= before) loop
    execute format('drop table %s', old);
  end loop;
  return true;
exception when lock_not_available then
  return false;
end $$;

-- Takes events that are about to go out of their feeds. Positions up to theirs end; where one of them has no position yet, all
-- that were given do.
create function forget_positions(bound uuid, strays uuid[]) returns void language plpgsql as $$
begin
  perform from event_feeds f
    where exists (select from events e where e.client_id = f.client_id and (e.id < bound or e.id = any(strays)))
    order by f.client_id for update;
  -- A statement of its own: it sees the positions that were given while this one waited for the locks.
  update event_feeds f set
    last_position = f.last_position + d.unplaced::integer,
    dropped_position = case when d.unplaced then f.last_position + 1 else d.position end
  from (
    select g.client_id,
      greatest(g.dropped_position, (
        select max(e.position) from events e
        where e.client_id = g.client_id and (e.id < bound or e.id = any(strays)))) as position,
      exists (
        select from events e
        where e.client_id = g.client_id and e.position is null and e.type <> 'webhook.ping' and e.number > g.first_number
          and (e.id < bound or e.id = any(strays))) as unplaced
    from event_feeds g
  ) d
  where f.client_id = d.client_id and (d.unplaced or d.position > f.dropped_position);
end $$;
