-- As sklad_owner, after each "sklad migrate": psql -U sklad_owner -d sklad -f rights.sql.
grant select, insert, update, delete on all tables in schema public to sklad;
grant usage, select on all sequences in schema public to sklad;
revoke insert, update, delete on schema_migrations from sklad;

-- Partitions are opened and dropped with the rights of the tables' owner; everything else in these functions is of this schema.
alter function open_call_journal(timestamptz, integer) security definer set search_path = public, pg_temp;
alter function drop_old_calls(timestamptz) security definer set search_path = public, pg_temp;
alter function open_event_partitions(timestamptz, integer) security definer set search_path = public, pg_temp;
alter function drop_old_events(timestamptz) security definer set search_path = public, pg_temp;
revoke execute on function open_call_journal(timestamptz, integer), drop_old_calls(timestamptz),
  open_event_partitions(timestamptz, integer), drop_old_events(timestamptz) from public;
grant execute on function open_call_journal(timestamptz, integer), drop_old_calls(timestamptz),
  open_event_partitions(timestamptz, integer), drop_old_events(timestamptz) to sklad;

-- The service analyzes what it has partitioned. Before PostgreSQL 17 only the owner may: a crontab of yours does it then.
do $$ begin
  if current_setting('server_version_num')::integer >= 170000 then
    execute 'grant maintain on events, ended_deliveries to sklad';
  end if;
end $$;
