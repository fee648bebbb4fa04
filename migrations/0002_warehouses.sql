-- Warehouses, and the reasons that workers choose from.

create table warehouses (
  code text primary key,
  name text not null,
  mode text not null default 'live' check (mode in ('live', 'test')),
  intake_open boolean not null default true,
  created_at timestamptz(3) not null
);

create table reasons (
  kind text not null check (kind in ('shortage', 'not_found', 'correction')),
  code text not null,
  label text not null,
  primary key (kind, code)
);

-- Lists to start with; staff add to them.
insert into reasons (kind, code, label) values
  ('shortage', 'NOT_DELIVERED', 'Товар не привезён'),
  ('shortage', 'DAMAGED', 'Товар повреждён'),
  ('shortage', 'WRONG_ITEM', 'Привезён другой товар'),
  ('shortage', 'NO_BARCODE', 'Нет штрихкода'),
  ('shortage', 'BAD_MARK', 'Код маркировки не читается'),
  ('shortage', 'DUPLICATE_MARK', 'Код маркировки уже принят'),
  ('shortage', 'EXPIRED', 'Истёк срок годности'),
  ('shortage', 'CANCELLED', 'Приёмка отменена'), -- of cancelled receipts alone
  ('shortage', 'OTHER', 'Другая причина'),
  ('not_found', 'COULD_NOT_LOCATE', 'Товар не найден на складе'),
  ('not_found', 'EMPTY_LOCATION', 'Место хранения пусто'),
  ('not_found', 'DAMAGED', 'Товар повреждён'),
  ('not_found', 'MISPLACED', 'Товар лежит не на своём месте'),
  ('not_found', 'WRONG_BARCODE', 'Штрихкод не совпадает'),
  ('not_found', 'MARK_MISSING', 'Нет кода маркировки'),
  ('not_found', 'OTHER', 'Другая причина'),
  ('correction', 'COUNT', 'Пересчёт'),
  ('correction', 'FOUND', 'Товар найден'),
  ('correction', 'LOST', 'Товар утерян'),
  ('correction', 'DAMAGED', 'Товар повреждён'),
  ('correction', 'DATA_ENTRY', 'Ошибка ввода'),
  ('correction', 'UNCHECKED_RETURN', 'Возврат не осмотрен'),
  ('correction', 'OTHER', 'Другая причина');
