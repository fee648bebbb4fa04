-- Charges are listed by day, whole, within a month or by service: each list reads its page and no more.
create index charges_by_month_and_day on charges (client_id, month, day, service, source, step);
drop index charges_by_month;
create index charges_by_service on charges (client_id, service, day, source, step, month);
