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
