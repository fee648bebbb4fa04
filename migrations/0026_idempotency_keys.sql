-- The key that a caller gave a receipt request (header Idempotency-Key), on the entry that created the receipt.

alter table receipt_journal add column idempotency_key text check (idempotency_key ~ '^[\x21-\x7e]{1,255}$');
create unique index receipt_journal_by_idempotency_key on receipt_journal (client_id, idempotency_key)
  where idempotency_key is not null;
