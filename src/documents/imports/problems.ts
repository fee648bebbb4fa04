import { cellPath } from '../../platform/kernel/column-letters.ts'
import { excerpt, type ServiceError } from '../../platform/kernel/errors.ts'
import type { Column } from './headings.ts'
import { refusedFile } from './refusals.ts'

/** The most problems in one message: it then has about ten thousand characters. */
const problemsMax = 50

/** What is wrong with one cell. */
export interface Problem {
  readonly row: number
  readonly column: Column
  readonly rule: string
}

export interface Problems {
  add(row: number, column: Column, rule: string): void
  /** In the order of the file. */
  readonly found: readonly Problem[]
  readonly none: boolean
  /** The message has no room for more problems: reading further is useless. */
  readonly full: boolean
  error(): ServiceError
}

/** Collects what is wrong with single cells. The message names it in the order of the file, after the name of the `sheet`. */
export function collectProblems(sheet: string | undefined): Problems {
  const found: Problem[] = []
  const inOrder = () => found.toSorted((one, other) => one.row - other.row)
  return {
    add(row, column, rule) {
      if (found.length < problemsMax) found.push({ row, column, rule })
    },
    get found() {
      return inOrder()
    },
    get none() {
      return found.length === 0
    },
    get full() {
      return found.length === problemsMax
    },
    error() {
      const read = sheet === undefined ? '' : `прочитан лист „${excerpt(sheet)}“, `
      const head =
        found.length === problemsMax
          ? `Файл не принят, ${read}первые ошибки (${problemsMax})`
          : `Файл не принят, ${read}ошибок: ${found.length}`
      const lines = inOrder().map(
        ({ row, column, rule }) => `строка ${row}, ${column.label}: ${rule}`,
      )
      const breaches = inOrder().map(({ row, column: { at }, rule }) => ({
        path: cellPath(row, at < 0 ? undefined : at),
        rule,
      }))
      return refusedFile(`${head}:\n${lines.join('\n')}`, breaches)
    },
  }
}
