-- Signing in, of staff and of sellers' users.

-- Where a login has signed in from: browsers and addresses, as hashes of them with the login.
create table sign_in_places (
  place bytea primary key,
  user_id uuid not null, -- of staff or of a seller
  used_at timestamptz(3) not null
);
create index sign_in_places_by_use on sign_in_places (used_at);

-- Failed attempts to sign in, by login and address; unlogged like rate_buckets.
create unlogged table sign_in_failures (
  subject text primary key,
  failures integer not null,
  last_at timestamptz(3) not null
);
