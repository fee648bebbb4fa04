-- The sandbox: which scenario is built, and which test clients have a copy of it.

create table sandboxes (
  client_id uuid primary key references clients,
  copied_at timestamptz(3), -- null: no copy now; the next request makes one
  last_request_at timestamptz(3) not null
);
create index sandboxes_by_last_request on sandboxes (last_request_at) where copied_at is not null;

create table sandbox_scenarios (
  version text primary key,
  client_id uuid not null references clients,
  built_at timestamptz(3) not null
);

-- Receivers that answer webhooks of a sandbox inside the service, and what they have got.
create table sandbox_receivers (
  client_id uuid not null references clients,
  id uuid not null,
  answers text[] not null,
  used integer not null default 0, -- requests that took an answer: all but pings
  received integer not null default 0,
  created_at timestamptz(3) not null,
  primary key (client_id, id)
);
create table sandbox_received (
  client_id uuid not null,
  receiver_id uuid not null,
  number integer not null,
  at timestamptz(3) not null,
  headers jsonb not null,
  body text not null,
  signature_valid boolean not null,
  answer text not null,
  primary key (client_id, receiver_id, number),
  foreign key (client_id, receiver_id) references sandbox_receivers
);
