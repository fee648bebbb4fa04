-- Orders that are taken out of a shipment which the marketplace has, too, are asked for like the rest.
alter table cabinet_tasks
  drop constraint cabinet_tasks_kind_check,
  add check (kind in ('create', 'fill', 'remove', 'deliver'));

-- Creations that were given up lately: a marketplace may have done them after all, and late.
create index cabinet_tasks_given_up on cabinet_tasks (client_id, cabinet_id, asked_at)
  where kind = 'create' and state = 'refused';
