-- What the marketplaces tell since the autumn of 2026.

-- Which kind of token the seller gave; null: it does not say, or nothing has read it yet.
alter table cabinets add column credentials_type text
  check (credentials_type in ('base', 'test', 'personal', 'service'));

-- What the marketplace refuses while all else is read, a list: what it is, since when, why, which call.
alter table cabinet_syncs add column lacks jsonb not null default '[]';

-- The second GTIN of goods whose units bear another one than their barcodes.
alter table marketplace_cards add column gtin text collate "C" check (gtin ~ '^[0-9]{14}$');
create index marketplace_cards_by_gtin on marketplace_cards (client_id, gtin) where gtin is not null;
-- Cards that were read before are read once more, for theirs.
update cabinet_syncs s set cards_cursor = null, cards_at = null from cabinets k
  where k.client_id = s.client_id and k.id = s.cabinet_id and k.marketplace = 'WB';
