-- An announcement that was changed in the account: the journal keeps every version.
alter table receipt_journal drop constraint receipt_journal_outcome_check;
alter table receipt_journal add constraint receipt_journal_outcome_check
  check (outcome in ('created', 'repeated', 'changed'));
