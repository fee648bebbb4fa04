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

/** Collects the problems of single cells; the message names them in the order of the file. */
export function collectProblems(): Problems {
  const found: { readonly row: number; readonly text: string }[] = []
  return {
    add(row, column, rule) {
      if (found.length < PROBLEMS_MAX) {
        found.push({ row, text: `строка ${row}, ${column.label}: ${rule}` })
      }
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
      const lines = found.toSorted((a, b) => a.row - b.row).map(({ text }) => text)
      return refusedFile(`${head}:\n${lines.join('\n')}`)
    },
  }
}
