-- The journal of changes is read in the order of time, so that a list of an old span begins at the end of the span. The number is no such
-- order: entries that came with a warehouse from another cell have new numbers and old times.

create index staff_journal_newest on staff_journal (at desc, id desc);
create index staff_journal_newest_of_client on staff_journal (client_id, at desc, id desc);
create index staff_journal_newest_of_object on staff_journal (object_id, at desc, id desc);
create index staff_journal_newest_of_actor on staff_journal (actor, at desc, id desc);
drop index staff_journal_by_client, staff_journal_by_object, staff_journal_by_actor, staff_journal_by_time;

-- A process of the version before copies sandboxes beside this one for a while, in the order and with the columns that it knows: triggers
-- that came meanwhile then count what is not there yet. Such a copy is deleted, and the next request makes it anew.
alter table sandboxes
  add column made_at timestamptz(3), -- equal to copied_at: the code that made the copy says of which schema it was
  add column made_schema integer; -- its last migration
