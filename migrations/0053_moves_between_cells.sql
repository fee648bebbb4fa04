-- A warehouse with all its clients goes to another cell, which is another database (operations/moving/).

-- From the announcement of its move on no worker touches a client; after the move its rows stay, and its mode keeps them out of lists.
alter table clients add column leaving boolean not null default false,
  drop constraint clients_mode_check,
  add constraint clients_mode_check check (mode in ('live', 'test', 'moved'));
create index clients_leaving on clients (id) where leaving; -- empty as a rule
create index clients_moved on clients (id) where mode = 'moved';
alter table warehouses drop constraint warehouses_mode_check,
  add constraint warehouses_mode_check check (mode in ('live', 'test', 'moved'));

-- A live client becomes a moved one, and a live one again where the move is given up. Other modes never change.
drop trigger mode_is_fixed on clients;
create trigger mode_is_fixed before update of mode, id on clients
  for each row when (old.id <> new.id or old.mode <> new.mode and 'test' in (old.mode, new.mode))
  execute function refuse_change_of_mode();

create function leaving_clients() returns uuid[] language sql stable as $$
  select array(select id from clients where leaving)
$$;
create function moved_clients() returns uuid[] language sql stable as $$
  select array(select id from clients where mode = 'moved')
$$;

--   leaving: ANNOUNCED --workers are done--> HELD --copied and compared--> CLOSED --committed there--> ARRIVED --proxy knows--> DONE
--   coming: DONE, in the transaction of the copy
create table warehouse_moves (
  id uuid primary key, -- the same in both cells
  side text not null check (side in ('leaving', 'coming')),
  warehouse_code text not null references warehouses, -- here
  other_code text not null, -- there
  other_database text not null, -- host, port and name
  clients uuid[] not null,
  state text not null check (state in ('ANNOUNCED', 'HELD', 'CLOSED', 'ARRIVED', 'DONE')),
  started_at timestamptz(3) not null,
  held_at timestamptz(3),
  ended_at timestamptz(3),
  check (side = 'leaving' or state = 'DONE'),
  check ((state = 'DONE') = (ended_at is not null))
);
-- A warehouse leaves once, and comes once.
create unique index warehouse_moves_of_warehouse on warehouse_moves (warehouse_code, side);

-- The triggers that a move makes on tables of the leaving cell call it. The state is that of a server that is not there, so callers get
-- the answers that they have for this: nothing was written, repeat.
create function refuse_leaving() returns trigger language plpgsql as $$
begin
  if current_setting('sklad.moving', true) = 'on' then return case tg_op when 'DELETE' then old else new end; end if;
  raise exception 'the warehouse moves to another cell' using errcode = '57M01';
end $$;

-- Which secrets the service works with, newest first, without showing them: a move compares those of both cells.
create table secret_fingerprints (
  place smallint primary key,
  fingerprint text not null
);
