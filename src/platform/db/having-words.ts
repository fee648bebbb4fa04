import { searchForms } from '../kernel/case-folding.ts'
import type { Queryable } from './connection.ts'
import type { Fragment } from './fragment.ts'

/**
 * The condition that each word of a typed text stands somewhere in a folded text of the row: in any order and letter case, with
 * е for ё, in either layout of the keyboard. A text without words fits every row.
 */
export function havingWords(db: Queryable, text: string, folded: Fragment): Fragment {
  return db`exists (
    select from unnest(${[...searchForms(text)]}::text[]) form
    where not exists (
      select from string_to_table(form, ' ') word where strpos(${folded}, word) = 0))`
}
