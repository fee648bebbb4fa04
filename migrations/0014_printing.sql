-- What browsers print: stations of a warehouse, and the jobs that wait for them.

create table print_stations (
  id uuid primary key,
  warehouse_code text not null references warehouses,
  name text not null,
  formats text[] not null check (cardinality(formats) > 0 and formats <@ array['58x40', 'A4']),
  active boolean not null default true,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3), -- when its page last asked for a job, to the minute
  unique (warehouse_code, name)
);
create index print_stations_by_time on print_stations (created_at desc, id desc);

create table print_jobs (
  id uuid primary key,
  warehouse_code text not null references warehouses,
  station_id uuid references print_stations, -- null: any station of the warehouse that prints the format
  format text not null check (format in ('58x40', 'A4')),
  kind text not null,
  object_id uuid not null, -- what is printed; read when it is printed
  title text not null,
  copies integer not null check (copies between 1 and 20),
  status text not null check (status in ('QUEUED', 'PRINTING', 'PRINTED', 'FAILED')),
  print_id text, -- by which the one who asks repeats the request
  created_at timestamptz(3) not null,
  created_by text not null,
  taken_station_id uuid references print_stations,
  tab text, -- of the page that prints it
  leased_until timestamptz(3),
  attempts integer not null default 0 check (attempts >= 0),
  reason text,
  ended_at timestamptz(3),
  unique (created_by, print_id),
  check ((status = 'PRINTING') = (leased_until is not null) and (tab is null) = (leased_until is null)),
  check ((status in ('PRINTED', 'FAILED')) = (ended_at is not null)),
  check ((status = 'FAILED') = (reason is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
create index print_jobs_open on print_jobs (warehouse_code, created_at, id)
  where status in ('QUEUED', 'PRINTING');
create index print_jobs_of_warehouse on print_jobs (warehouse_code, created_at desc, id desc);
create index print_jobs_by_time on print_jobs (created_at desc, id desc);
