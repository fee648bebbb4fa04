/** Rows in the form in which the server sends them. */

/** The body of a DataRow message: the number of columns, then of each its length and text. */
export function serverRow(values: readonly unknown[]): Buffer {
  const parts = values.map((value) => {
    if (value === null) return int32(-1)
    const text = Buffer.from(serverText(value))
    return Buffer.concat([int32(text.length), text])
  })
  const count = Buffer.alloc(2)
  count.writeInt16BE(values.length)
  return Buffer.concat([count, ...parts])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const timestamp = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.(\d{3})\+03:00$/

/** The server writes no zeros at the end of a fraction. */
function serverText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  const [, date, time, fraction = ''] = timestamp.exec(text) ?? []
  if (date === undefined) return text
  const digits = fraction.replace(/0+$/, '')
  return `${date} ${time}${digits === '' ? '' : `.${digits}`}+03`
}

/** Every row whose values come from `row`, with null for each combination of these columns. */
export function* withNulls<Row extends object>(
  row: Row,
  nullable: readonly (keyof Row)[],
): Generator<Row> {
  for (let chosen = 0; chosen < 2 ** nullable.length; chosen += 1) {
    const nulls = nullable.filter((_, index) => (chosen >> index) & 1)
    yield { ...row, ...Object.fromEntries(nulls.map((column) => [column, null])) }
  }
}
