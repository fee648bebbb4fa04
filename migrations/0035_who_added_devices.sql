-- Who added a handheld, so that managers of other warehouses do not see it before anybody has worked on it.
alter table staff_devices add column added_by uuid references staff_users;
