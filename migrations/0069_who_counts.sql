-- Who counts, and when each said that nothing is left to count. A count is counted when all of them have said so.
create table count_workers (
  client_id uuid not null,
  count_id uuid not null,
  actor text not null,
  done_at timestamptz(3), -- null: counts; the next scan makes it so again
  primary key (client_id, count_id, actor),
  foreign key (client_id, count_id) references stock_counts
);

insert into count_workers (client_id, count_id, actor)
select distinct s.client_id, s.count_id, s.actor
from count_scans s
join stock_counts k on k.client_id = s.client_id and k.id = s.count_id and k.status = 'COUNTING'
  and (k.reviewed_at is null or k.reviewed_at < s.at)
where s.undone_at is null;
