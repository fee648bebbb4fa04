-- Keys that owners ask for in the account. A manager decides; the value of a key waits, sealed, until an owner has seen it.
create table key_requests (
  client_id uuid not null references clients,
  id uuid not null,
  name text not null, -- of the key
  purpose text not null,
  receipts_enabled boolean not null,
  status text not null check (status in ('WAITING', 'WITHDRAWN', 'DECLINED', 'ISSUED', 'REVEALED', 'REVOKED')),
  asked_by uuid not null, -- a user of the seller
  created_at timestamptz(3) not null,
  decided_at timestamptz(3), -- by a manager, or withdrawn by an owner
  reason text, -- why a manager declined it
  key_id uuid,
  sealed_key bytea, -- until it is seen or revoked
  reveal_until timestamptz(3),
  revealed_at timestamptz(3),
  primary key (client_id, id),
  foreign key (client_id, key_id) references api_keys,
  check ((status = 'WAITING') = (decided_at is null)),
  check ((status = 'DECLINED') = (reason is not null)),
  check ((status in ('ISSUED', 'REVEALED', 'REVOKED')) = (key_id is not null)),
  check ((key_id is null) = (reveal_until is null)),
  check ((status = 'ISSUED') = (sealed_key is not null)),
  check ((status = 'REVEALED') = (revealed_at is not null))
);
create index key_requests_waiting on key_requests (client_id, created_at, id) where status = 'WAITING';
create index key_requests_unseen on key_requests (client_id, reveal_until) where status = 'ISSUED';
create unique index key_requests_by_key on key_requests (client_id, key_id) where key_id is not null;
