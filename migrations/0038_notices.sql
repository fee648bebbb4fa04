-- What people are notified of: news of the warehouse, what each user was notified of, and the letters that carry it.

-- Written in the transaction of the change. A row stays for a while, so that the same is not written twice.
create table news (
  client_id uuid not null references clients,
  id uuid not null,
  kind text not null,
  key text collate "C" not null, -- what makes it the same news
  object_id text, -- what it is about; null: a list shows it
  subject text not null, -- how that is called; without names of people
  units integer not null check (units > 0), -- of how many things it tells
  at timestamptz(3) not null,
  passed_at timestamptz(3), -- to the users; null: waits
  primary key (client_id, id),
  unique (client_id, kind, key)
);
create index news_waiting on news (at, id) where passed_at is null;
create index news_by_time on news (at);

-- When the cover of a client's goods was last looked at.
create table news_watches (
  client_id uuid primary key references clients,
  cover_on date not null
);

-- How a user wants to be notified; a user without a row has what the code says.
create table notice_people (
  user_id uuid primary key, -- of staff or of a seller
  side text not null check (side in ('seller', 'staff')),
  choices jsonb not null default '{}', -- by kind; a kind without one has its own
  digest_hour smallint not null default 9 check (digest_hour between 0 and 23), -- of Moscow, as all hours here
  quiet_from smallint check (quiet_from between 0 and 23),
  quiet_to smallint check (quiet_to between 0 and 23),
  email text, -- confirmed
  email_asked text, -- waits for its code
  email_asked_at timestamptz(3),
  email_failures smallint not null default 0, -- wrong codes
  email_problem text, -- why the last letter did not arrive
  telegram_chat bigint,
  telegram_code_hash bytea unique, -- of the link that waits
  telegram_code_until timestamptz(3),
  telegram_blocked boolean not null default false, -- the user stopped the bot there
  check ((quiet_from is null) = (quiet_to is null)),
  check ((email_asked is null) = (email_asked_at is null)),
  check ((telegram_code_hash is null) = (telegram_code_until is null))
);
create index notice_people_by_chat on notice_people (telegram_chat) where telegram_chat is not null;

--   waiting, no attempt: collects --due--> waiting, under way --taken--> sent
--                                            |  ^                 `--> failed, dropped
--                                            +--+ after a pause
create table notice_letters (
  id uuid primary key,
  user_id uuid not null references notice_people,
  channel text not null check (channel in ('email', 'telegram')),
  pace text not null check (pace in ('now', 'digest', 'code')),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'dropped')),
  due_at timestamptz(3) not null, -- of a letter under way: when it is taken for lost
  attempts smallint not null default 0,
  problem text, -- of the last attempt
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check ((state = 'waiting') = (ended_at is null))
);
create unique index notice_letters_open on notice_letters (user_id, channel, pace) where state = 'waiting' and attempts = 0;
create index notice_letters_due on notice_letters (due_at, id) where state = 'waiting';
create index notice_letters_sent on notice_letters (user_id, channel, ended_at) where state = 'sent';
create index notice_letters_newest on notice_letters (created_at desc, id desc);

-- What a user was notified of, of one client. News of one kind that come in a burst are one notice.
create table notices (
  client_id uuid not null references clients,
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  object_id text,
  subject text not null,
  units integer not null check (units > 0),
  at timestamptz(3) not null,
  in_bell boolean not null,
  read_at timestamptz(3),
  email_letter uuid,
  telegram_letter uuid,
  primary key (client_id, id)
);
create index notices_of_user on notices (client_id, user_id, at desc, id desc);
create index notices_unread on notices (client_id, user_id, kind) where read_at is null;
create index notices_by_user on notices (user_id, at desc, id desc);
create index notices_by_email on notices (email_letter) where email_letter is not null;
create index notices_by_telegram on notices (telegram_letter) where telegram_letter is not null;
create index notices_by_time on notices (at);

-- Where the bot's incoming messages are read on from. One process reads at a time.
create table telegram_feed (
  id boolean primary key default true check (id),
  next_update bigint not null default 0,
  leased_until timestamptz(3)
);
insert into telegram_feed default values;

insert into service_switches (name, enabled)
  select 'notices', coalesce(bool_and(enabled), true) from service_switches;
