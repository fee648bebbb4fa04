import type { ServiceError } from '../kernel/errors.ts'
import type { Column } from './headings.ts'
import { refusedFile } from './refusals.ts'

/** The most problems in one message, which then has some ten thousand characters. */
const PROBLEMS_MAX = 50

export interface Problems {
  add(row: number, column: Column, rule: string): void
  readonly none: boolean
  /** The message has no room for more problems: reading further is useless. */
  readonly full: boolean
  error(): ServiceError
}

/** Collects the problems of single cells, in the order of the file. */
export function collectProblems(): Problems {
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
