-- Switches of the operator.
create table service_switches (
  name text primary key,
  enabled boolean not null
);
insert into service_switches values ('webhooks', true), ('marketplaces', true);
