-- Journals: calls of the API, requests for receipts, changes by staff.

-- Calls of the API, in partitions by time: retention drops whole partitions, so neither a write nor
-- retention costs more as the journal grows. Maintenance opens partitions ahead. The default partition
-- takes a call that has no partition, so the journal never refuses one.
create table call_journal (
  id bigint generated always as identity,
  at timestamptz(3) not null,
  method text not null,
  path text not null,
  ip text not null,
  status smallint not null,
  key_id uuid,
  client_id uuid,
  request_id text not null,
  primary key (at, id)
) partition by range (at);
create index call_journal_by_key on call_journal (key_id, at desc, id desc) where key_id is not null;
-- Every status but the usual one.
create index call_journal_by_status on call_journal (status, at desc, id desc) where status <> 200;
create trigger append_only before update or truncate on call_journal
  for each statement execute function refuse_change();

create table call_journal_default partition of call_journal default;

-- Partitions but the default one, with the moment at which each ends.
create view call_journal_partitions as
  select c.oid::regclass as partition,
    substring(pg_get_expr(c.relpartbound, c.oid) from $$ TO \('(.+)'\)$$)::timestamptz as finish
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'call_journal'::regclass and c.oid <> 'call_journal_default'::regclass;

-- Opens partitions up to a week ahead. A list reads the newest call of every partition, so a partition
-- holds a twelfth of the retention, in whole days. Does nothing while somebody reads the default
-- partition for longer than the timeout, or when there are too many calls in it to move under a lock.
create function open_call_journal(now timestamptz, retention_days integer) returns integer
  language plpgsql set lock_timeout = '500ms' as $$
declare
  span constant interval := make_interval(days => ceil(retention_days / 12.0)::integer);
  today constant timestamptz := date_trunc('day', now, 'UTC');
  ahead constant timestamptz := now + interval '7 days';
  start timestamptz;
  part text;
  opened integer := 0;
begin
  if (select max(finish) from call_journal_partitions) > ahead then return 0; end if;
  -- Taken by one process at a time; calls that have a partition are written meanwhile.
  lock table call_journal_default in access exclusive mode;
  loop
    start := greatest(today, (select max(finish) from call_journal_partitions));
    exit when start > ahead
      or exists (select from call_journal_default where at >= start offset 100000);
    part := 'call_journal_' || to_char(start at time zone 'UTC', 'YYYYMMDD');
    execute format('create table %I (like call_journal including constraints including indexes)', part);
    execute format('with moved as (
        delete from call_journal_default where at >= %L and at < %L returning *)
      insert into %I select * from moved', start, start + span, part);
    execute format('alter table call_journal attach partition %I for values from (%L) to (%L)',
      part, start, start + span);
    opened := opened + 1;
  end loop;
  return opened;
exception when lock_not_available then
  return 0;
end $$;

-- Drops the partitions that end before a moment. Of the default partition, which is empty as a rule, it
-- deletes up to 10,000 calls. Does nothing while somebody reads the journal for longer than the timeout.
create function drop_old_calls(before timestamptz) returns integer
  language plpgsql set lock_timeout = '500ms' as $$
declare
  old regclass;
  dropped integer := 0;
begin
  delete from call_journal_default where ctid = any(array(
    select ctid from call_journal_default where at < before limit 10000));
  for old in select partition from call_journal_partitions where finish <= before loop
    execute format('drop table %s', old);
    dropped := dropped + 1;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $$;

create table receipt_journal (
  client_id uuid not null references clients,
  entry bigint not null,
  at timestamptz(3) not null,
  -- Who announced it: a program by its key, or a seller's user.
  key_id uuid,
  user_id uuid,
  request_id text not null,
  receipt_id uuid not null,
  outcome text not null check (outcome in ('created', 'repeated')),
  body text not null,
  -- SHA-256 over the previous entry's hash and this entry: a row changed behind the service shows.
  hash bytea not null,
  -- What the caller named the request (header Idempotency-Key), on the entry that created the receipt.
  idempotency_key text check (idempotency_key ~ '^[\x21-\x7e]{1,255}$'),
  primary key (client_id, entry),
  check (num_nonnulls(key_id, user_id) = 1)
);
create unique index receipt_journal_by_idempotency_key on receipt_journal (client_id, idempotency_key)
  where idempotency_key is not null;
create index receipt_journal_by_time on receipt_journal (client_id, at desc, entry desc);
create trigger append_only before update or truncate on receipt_journal
  for each statement execute function refuse_change();
create trigger keep_live after delete on receipt_journal referencing old table as removed
  for each statement execute function refuse_delete_of_live();

-- The last entry of each client, so that the audit misses entries that were deleted at the end.
create table receipt_journal_heads (
  client_id uuid primary key references clients,
  entries bigint not null,
  hash bytea not null
);

-- Requests of receipts that were refused: what came, as evidence for a dispute about a delivery that nobody announced.
create table refused_receipts (
  client_id uuid not null references clients,
  at timestamptz(3) not null,
  request_id text not null,
  key_id uuid not null,
  status smallint not null,
  code text not null,
  -- Null, all three: refused before the body was read.
  body_bytes integer,
  body_sha256 bytea, -- of the whole body as it came
  body_start bytea check (length(body_start) <= 16384), -- its first 16 KiB, keys masked
  primary key (client_id, at, request_id) -- lists and housekeeping go by it, too
);
create trigger append_only before update or truncate on refused_receipts
  for each statement execute function refuse_change();

-- Entries of live clients stay for twelve months, by the clock of the database.
create function refuse_delete_of_recent() returns trigger language plpgsql as $$
begin
  if exists (
    select from removed r left join clients c on c.id = r.client_id
    where c.mode is distinct from 'test' and r.at >= now() - interval '365 days'
  ) then
    raise exception '%: entries of live clients stay for twelve months', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger keep_recent after delete on refused_receipts referencing old table as removed
  for each statement execute function refuse_delete_of_recent();

create table staff_journal (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  actor text not null, -- staff:<id>, seller:<id> or command-line
  login text,          -- at the time of the change
  action text not null,
  client_id uuid,
  object_id text,
  before jsonb,
  after jsonb,
  request_id text,
  ip text
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index staff_journal_by_client on staff_journal (client_id, id desc);
create index staff_journal_by_object on staff_journal (object_id, id desc);
create index staff_journal_by_actor on staff_journal (actor, id desc);
-- Entries come in the order of time, so a few pages of this index find a day.
create index staff_journal_by_time on staff_journal using brin (at) with (pages_per_range = 16, autosummarize = on);
create trigger append_only before update or delete or truncate on staff_journal
  for each statement execute function refuse_change();
