/** How the columns of a statement become JSON of a shape: the steps of writing a row, known before the rows come. */

import { type ColumnField, itemColumn, type JsonField, type JsonShape } from './json-shape.ts'

/** One step of writing a row: a field, or the beginning or end of an object. */
export interface JsonStep {
  readonly kind: ColumnField['kind'] | 'open' | 'close'
  /** Before the value: `"key":`, `"key":{` or `}`. */
  readonly text: Buffer
  /** Of the column. */
  readonly index: number
  readonly isOptional: boolean
  /** JSON by the column's value; undefined where the value itself is written. */
  readonly labels: ReadonlyMap<string, Buffer> | undefined
}

/** The steps of a shape for a statement's columns. */
export interface JsonPlan {
  readonly steps: readonly JsonStep[]
  readonly columns: readonly string[]
  /** Longest that a row gets beside its values. */
  readonly bytesMax: number
  /** What rows of the last statement took: the next one begins with as much room. */
  usualBytes: number
  /** Where the texts of the row's columns are that is written now, and how long; -1 for NULL. */
  readonly starts: Int32Array
  readonly lengths: Int32Array
  /** Of the column `total`, which counts the rows of a list and is not of the shape; -1 without one. */
  readonly totalIndex: number
  /** Of rows that are the list of an object. */
  readonly list?: ListPlan
}

interface ListPlan {
  readonly key: string
  /** The column that is NULL where the list is empty. */
  readonly itemIndex: number
  /** Of the object, from the columns before that one. */
  readonly holder: JsonPlan
}

/** @throws TypeError for a field whose column the statement does not have */
export function planJson({ fields, list }: JsonShape, columns: readonly string[]): JsonPlan {
  if (list === undefined) return planFields(fields, columns, 0)
  const itemIndex = columns.indexOf(itemColumn)
  if (itemIndex < 0) throw new TypeError(`the statement has no column ${itemColumn}`)
  const holder = planFields(list.holder, columns.slice(0, itemIndex), 0)
  return {
    ...planFields(fields, columns, itemIndex),
    list: { key: list.key, itemIndex, holder },
  }
}

/** @param from where the columns begin that the fields may come from */
function planFields(
  fields: readonly JsonField[],
  columns: readonly string[],
  from: number,
): JsonPlan {
  const steps = stepsOf(fields, (column) => columns.indexOf(column, from))
  const lengths = steps.map(({ text, labels = new Map<string, Buffer>() }) => {
    const longest = Math.max(fieldBytesMax, ...[...labels.values()].map(({ length }) => length))
    return text.length + longest
  })
  const bytesMax = lengths.reduce((sum, length) => sum + length, 0)
  const { length } = columns
  return {
    steps,
    columns,
    bytesMax,
    usualBytes: bytesAtFirst,
    starts: new Int32Array(length),
    lengths: new Int32Array(length),
    totalIndex: columns.indexOf('total'),
  }
}

/** A comma, quotes, and what a moment gains. */
const fieldBytesMax = 40
export const bytesAtFirst = 8 * 1_024

function stepsOf(
  fields: readonly JsonField[],
  indexOf: (column: string) => number,
  key?: string,
): JsonStep[] {
  const edge = { index: -1, isOptional: false, labels: undefined }
  const name = key === undefined ? '' : `${JSON.stringify(key)}:`
  const inner = fields.flatMap((field): JsonStep[] => {
    if ('fields' in field) return stepsOf(field.fields, indexOf, field.key)
    const index = indexOf(field.column)
    if (index < 0) throw new TypeError(`the statement has no column ${field.column}`)
    const labels = Object.entries(field.labels ?? {}).map(
      ([value, label]) => [value, Buffer.from(JSON.stringify(label))] as const,
    )
    return [
      {
        kind: field.kind,
        isOptional: field.isOptional,
        text: Buffer.from(`${JSON.stringify(field.key)}:`),
        index,
        labels: field.labels === undefined ? undefined : new Map(labels),
      },
    ]
  })
  return [
    { ...edge, kind: 'open', text: Buffer.from(`${name}{`) },
    ...inner,
    { ...edge, kind: 'close', text: Buffer.from('}') },
  ]
}
