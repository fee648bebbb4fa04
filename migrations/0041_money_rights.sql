-- Whether a manager sees money: an administrator always does, a worker never.
alter table staff_users add column sees_money boolean not null default false;
