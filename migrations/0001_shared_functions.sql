-- Functions that several rooms use: the warehouse's day, append-only guards, the token bucket.
--
-- Tenancy, in all files: every table that a client owns has client_id first in its primary key, in every
-- unique key and in every foreign key, so a reference from one client to another cannot be written.
-- tests/integration/tenancy.test.ts lists the exceptions by name.
--
-- Times are timestamptz(3), because milliseconds are all that the API shows. Columns that only this
-- database compares with its own clock are timestamptz.
--
-- By default vacuum waits until a fifth of a table is dead, or new, and the planner's figures until a tenth has
-- changed: of a hundred million rows that is much work at once, and late. Tables that grow for years are looked
-- after at two hundredths, so each pass stays short.

-- A day of the warehouse is a day in Moscow, which has had no daylight saving since 2014.
create function moscow_day(at timestamptz) returns date
  language sql immutable parallel safe
  return ((at at time zone 'UTC') + interval '3 hours')::date;

-- The first day of its month.
create function month_of(day date) returns date
  language sql immutable parallel safe
  return date_trunc('month', day::timestamp)::date;

-- Append-only tables ----------------------------------------------------------------------------

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation';
end $$;

-- Rows of test clients may be deleted, because idle sandbox copies are.
create function refuse_delete_of_live() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from (select distinct client_id from removed) r
    left join clients c on c.id = r.client_id
    where c.mode is distinct from 'test'
  ) then
    raise exception '% is append-only: rows of live clients stay', tg_table_name
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- The token bucket ------------------------------------------------------------------------------
-- The arithmetic of platform/kernel/token-bucket.ts in integer microseconds.

create function now_micros() returns bigint
  language sql stable parallel safe
  return (extract(epoch from statement_timestamp()) * 1000000)::bigint;

-- When a bucket is full. One that is further ahead than its capacity and a second counts as empty: the
-- clock has gone back since.
create function bucket_base(full_at bigint, capacity integer, interval_micros bigint) returns bigint
  language sql stable parallel safe
  return case when full_at > now_micros() + capacity * interval_micros + 1000000
    then now_micros() + capacity * interval_micros
    else greatest(full_at, now_micros()) end;

create function tokens_to_grant(full_at bigint, calls integer, capacity integer, interval_micros bigint)
  returns integer
  language sql stable parallel safe
  return greatest(0, least(calls, capacity
    - (bucket_base(full_at, capacity, interval_micros) - now_micros() + interval_micros - 1)
      / interval_micros))::integer;
