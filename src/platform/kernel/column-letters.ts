/** The letters of a spreadsheet's column, from 0: A, B … Z, AA. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last
}

/** The path of a cell of a file: `file.3.B`, and `file.3` for a column that the file may not have. */
export function cellPath(row: number, column?: number): string {
  return column === undefined ? `file.${row}` : `file.${row}.${columnLetters(column)}`
}
