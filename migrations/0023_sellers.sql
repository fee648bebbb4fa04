-- Sellers' users: people who see in the account what the warehouse does with the goods of their clients.

create table seller_users (
  id uuid primary key,
  login text collate "C" not null unique, -- lower case
  password_hash text not null,
  totp_secret bytea, -- sealed; null: signs in without one-time codes
  totp_offered bytea, -- sealed; waits for its first code
  totp_step bigint, -- of the last code: each is taken once
  recovery_hashes bytea[] not null default '{}', -- of recovery codes that were not used
  created_at timestamptz(3) not null
);

-- The clients that a user works for.
create table seller_members (
  client_id uuid not null references clients,
  user_id uuid not null references seller_users,
  role text not null check (role in ('viewer', 'receipts', 'owner')),
  created_at timestamptz(3) not null,
  primary key (client_id, user_id)
);
create index seller_members_by_user on seller_members (user_id, client_id);

-- One-time links by which people become users of a client. Links work while their maker has the power over whom they serve.
create table seller_invitations (
  client_id uuid not null references clients,
  id uuid not null,
  token_hash bytea not null unique,
  role text not null check (role in ('viewer', 'receipts', 'owner')),
  note text not null, -- for whom it is
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  used_by uuid references seller_users,
  revoked_at timestamptz(3),
  made_by uuid, -- a user of staff or of the seller
  primary key (client_id, id),
  check ((used_at is null) = (used_by is null)),
  check (used_at is null or revoked_at is null)
);

-- One-time links by which users who forgot the password set a new one. A new link replaces the one before.
create table seller_password_links (
  client_id uuid not null,
  user_id uuid not null references seller_users,
  token_hash bytea not null unique,
  drops_codes boolean not null, -- whether signing in needs no one-time codes afterwards
  by_owner boolean not null, -- made by an owner of the client, not by a manager
  expires_at timestamptz(3) not null,
  made_by uuid, -- a user of staff or of the seller
  primary key (client_id, user_id),
  foreign key (client_id, user_id) references seller_members on delete cascade
);
create index seller_password_links_by_user on seller_password_links (user_id);

-- Sessions of the account: of a user, or of whoever typed a test key.
create table seller_sessions (
  hash bytea primary key,
  id uuid not null unique,
  user_id uuid references seller_users,
  client_id uuid not null references clients, -- whose data it shows
  key_id uuid, -- the test key
  address text not null,
  browser text not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3) not null,
  foreign key (client_id, key_id) references api_keys,
  check ((user_id is null) = (key_id is not null))
);
create index seller_sessions_by_key on seller_sessions (client_id, key_id) where key_id is not null;
create index seller_sessions_by_user on seller_sessions (user_id, used_at) where user_id is not null;
create index seller_sessions_by_use on seller_sessions (used_at);
