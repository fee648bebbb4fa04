-- What was asked of a cabinet is listed for managers, the newest first. Ids grow with time.
create index cabinet_tasks_newest on cabinet_tasks (client_id, cabinet_id, id desc);
