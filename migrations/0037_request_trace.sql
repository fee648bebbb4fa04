-- What somebody who asks about a request id wants to know of the call. Of calls of before nobody noted it.
-- No index by request id: an id begins with the moment of its request, and the primary key finds that.
alter table call_journal
  add column error_code text,
  add column duration_ms integer,
  add column trace_id text;
