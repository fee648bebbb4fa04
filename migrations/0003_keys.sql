-- API keys and the buckets that limit calls.

create table api_keys (
  client_id uuid not null references clients,
  id uuid not null,
  name text not null,
  preview text not null,
  receipts_enabled boolean not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (client_id, id)
) with (fillfactor = 70);

-- A call brings only the key, so its hash is looked up before the client is known.
create table key_hashes (
  hash bytea primary key,
  client_id uuid not null,
  key_id uuid not null,
  foreign key (client_id, key_id) references api_keys
);
create unique index key_hashes_by_key on key_hashes (key_id);

-- Buckets are unlogged: no write waits for the disk. A crash of the database empties the tables, and
-- every bucket is full again.
create unlogged table rate_buckets (
  client_id uuid not null,
  key_id uuid not null,
  full_at bigint not null, -- when the bucket is full, in microseconds since 1970
  granted integer not null, -- calls granted by the last statement
  primary key (client_id, key_id)
) with (fillfactor = 50);

-- Of network addresses without a key, and of sessions of the account (`session <id>`).
create unlogged table address_buckets (
  address text primary key,
  full_at bigint not null,
  granted integer not null
) with (fillfactor = 50);
