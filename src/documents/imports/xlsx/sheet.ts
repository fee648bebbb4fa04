import { type Cell, columnsMax, type SheetRow } from '../cell.ts'
import { tooManyColumns } from '../refusals.ts'
import { columnOf, type RawCell, readCell, rowNumber, type SheetContext } from './sheet-cell.ts'
import { collectText } from './strings.ts'
import { type Attributes, readXml, type XmlVisitor } from './xml.ts'

/** Excel's limit for the text of a cell; a number has far fewer characters. */
const VALUE_UNITS_MAX = 32_767

/** All rows of the sheet, hidden ones included. Throws ServiceError. */
export async function* sheetRows(
  part: AsyncIterable<Buffer>,
  context: SheetContext,
): AsyncGenerator<SheetRow[]> {
  let rows: SheetRow[] = []
  const visitor = sheetVisitor(context, (row) => rows.push(row))
  for await (const _ of readXml(part, visitor)) {
    if (rows.length === 0) continue
    yield rows
    rows = []
  }
}

type OpenCell = { -readonly [Key in keyof RawCell]: RawCell[Key] }

/** A cell or row without a reference follows the previous one. */
function sheetVisitor(context: SheetContext, take: (row: SheetRow) => void): XmlVisitor {
  const inline = collectText()
  let isData = false
  let isValue = false
  let row = 0
  let column = -1
  let cells: (Cell | undefined)[] = []
  let cell: OpenCell | undefined

  function openRow({ r }: Attributes) {
    row = r === undefined ? row + 1 : rowNumber(r)
    column = -1
    cells = []
  }

  function openCell({ r, t = 'n', s = '0' }: Attributes) {
    column = r === undefined ? column + 1 : columnOf(r)
    cell = { type: t, style: s, value: undefined, isFormula: false }
    inline.start()
  }

  function closeCell() {
    if (cell === undefined) return
    const read = cell.type === 'inlineStr' ? inline.cell() : readCell(cell, context)
    cell = undefined
    if (read === undefined) return
    if (column >= columnsMax) throw tooManyColumns(row)
    while (cells.length <= column) cells.push(undefined)
    cells[column] = read
  }

  return {
    open(name, attributes) {
      if (name === 'sheetData') isData = true
      else if (!isData) return
      else if (name === 'row') openRow(attributes)
      else if (name === 'c') openCell(attributes)
      else if (cell === undefined) return
      else if (name === 'f') cell.isFormula = true
      else if (name === 'v') isValue = true
      else inline.open(name)
    },
    text(piece) {
      if (cell === undefined) return
      if (!isValue) inline.text(piece)
      else if ((cell.value ?? '').length <= VALUE_UNITS_MAX) cell.value = (cell.value ?? '') + piece
    },
    close(name) {
      if (!isData) return
      if (name === 'sheetData') isData = false
      else if (name === 'v') isValue = false
      else if (name === 'c') closeCell()
      else if (name === 'row') take({ row, cells })
      else inline.close(name)
    },
  }
}
