-- Searches compare names and articles with single spaces of one kind.

create function pg_temp.with_single_spaces(folded text) returns text language sql immutable as $$
  select btrim(regexp_replace(folded, U&'[\00A0\2000-\200A\202F\3000[:space:]]+', ' ', 'g'))
$$;

update products set
  name_folded = pg_temp.with_single_spaces(name_folded),
  article_folded = pg_temp.with_single_spaces(article_folded)
where (name_folded, article_folded)
  is distinct from (pg_temp.with_single_spaces(name_folded), pg_temp.with_single_spaces(article_folded));

update clients set name_folded = pg_temp.with_single_spaces(name_folded)
where name_folded <> pg_temp.with_single_spaces(name_folded);

drop function pg_temp.with_single_spaces(text);
