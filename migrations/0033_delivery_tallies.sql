-- How many deliveries the log of a subscription has, by the day of their events: the list of deliveries shows it with every page, and
-- counting the log itself took longer the longer the log was. Triggers keep it.

-- Nobody writes to the log meanwhile.
lock table only ended_deliveries in share row exclusive mode;

create table delivery_tallies (
  client_id uuid not null,
  webhook_id uuid not null,
  day date not null, -- of the event, in UTC: partitions of events begin and end with such a day
  delivered bigint not null,
  failed bigint not null,
  primary key (client_id, webhook_id, day)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

create function day_of_id(id uuid) returns date language sql immutable strict parallel safe as $$
  select (moment_of_id(id) at time zone 'UTC')::date
$$;

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

-- As before, but the tallies go, too.
create or replace function drop_old_events(before timestamptz) returns boolean
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

-- Of what is there already.
insert into delivery_tallies (client_id, webhook_id, day, delivered, failed)
  select client_id, webhook_id, day_of_id(event_id),
    count(*) filter (where status = 'DELIVERED'), count(*) filter (where status = 'FAILED')
  from ended_deliveries group by 1, 2, 3;
analyze delivery_tallies;
