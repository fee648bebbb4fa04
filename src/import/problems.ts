import type { ApiError } from '../kernel/errors.ts'
import type { Column } from './headings.ts'
import { refusedFile } from './refusals.ts'

/** What one message may tell of; by then it is some ten thousand characters long. */
const PROBLEMS_MAX = 50

export interface Problems {
  add(row: number, column: Column, rule: string): void
  readonly none: boolean
  /** No more can be told: reading on is of no use. */
  readonly full: boolean
  error(): ApiError
}

/** Gathers what is wrong with single cells, in the order of the file. */
export function gatherProblems(): Problems {
  const found: string[] = []
  return {
    add(row, column, rule) {
      if (found.length < PROBLEMS_MAX) found.push(`строка ${row}, ${column.label}: ${rule}`)
    },
    get none() {
      return found.length === 0
    },
    get full() {
      return found.length === PROBLEMS_MAX
    },
    error() {
      const head =
        found.length === PROBLEMS_MAX
          ? `Файл не принят, первые ошибки (${PROBLEMS_MAX})`
          : `Файл не принят, ошибок: ${found.length}`
      return refusedFile(`${head}:\n${found.join('\n')}`)
    },
  }
}
