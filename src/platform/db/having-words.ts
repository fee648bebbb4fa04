import { wordForms } from '../kernel/case-folding.ts'
import type { Queryable } from './connection.ts'
import type { Fragment } from './fragment.ts'

/**
 * The condition that each word of a typed text stands somewhere in a folded text of the row. Order, letter case, е
 * for ё and the layout of the keyboard do not matter. A text without words fits every row.
 */
export function havingWords(db: Queryable, text: string, folded: Fragment): Fragment {
  // One comparison a row and form: a client may have 100,000 goods.
  const forms = [...wordForms(text)].map(
    (form) => db`${folded} like all(${form.split(' ').map(within)}::text[])`,
  )
  return db`(${forms.reduce((all, form) => db`${all} or ${form}`)})`
}

/** The pattern of texts that hold the word. */
function within(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}
