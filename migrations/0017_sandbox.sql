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
