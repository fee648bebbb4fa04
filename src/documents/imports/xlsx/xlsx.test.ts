import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import writeXlsxFile from 'write-excel-file/node'
import {
  type HandmadeXlsx,
  inlineRow,
  relationsXml,
  sheetXml,
  workbookXml,
  xlsxOf,
} from '../../../../tests/support/xlsx-file.ts'
import { ServiceError } from '../../../platform/kernel/errors.ts'
import { readGoods } from '../goods.ts'
import { withLostZero } from '../values.ts'

const read = async (made: HandmadeXlsx) => (await readGoods({ bytes: xlsxOf(made) })).rows

async function refusal(made: HandmadeXlsx): Promise<string> {
  const error = await read(made).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ServiceError, String(error))
  return error.message
}

const head = inlineRow('barcode', 'qty', 'name', 'article', 'honest_mark')
const row = (...cells: readonly string[]) => `${head}<row>${cells.join('')}</row>`
const number = (value: string | number, style = 0) => `<c s="${style}"><v>${value}</v></c>`
const text = (value: string) => `<c t="str"><v>${value}</v></c>`

test('a file written by a library is read back', async () => {
  const words = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .map((drawn) => `т${drawn.replace(/[\p{C}_\ufffd]/gu, '')}`.trim())
  // Without numbers that look as if a spreadsheet had taken digits off their front or end: those are refused.
  const numbers = fc
    .integer({ min: 1, max: 10 ** 14 })
    .filter((drawn) => drawn % 10 !== 0 && withLostZero(String(drawn)) === undefined)
  const line = fc.record({
    barcode: fc.oneof(words, numbers),
    name: words,
    qty: fc.integer({ min: 1, max: 100_000 }),
    honestMark: fc.boolean(),
  })
  const lines = fc.uniqueArray(line, { selector: ({ barcode }) => String(barcode), minLength: 1 })
  await fc.assert(
    fc.asyncProperty(lines, async (goods) => {
      const rows = goods.map(({ barcode, name, qty, honestMark }) => [
        { value: honestMark },
        { value: qty },
        { value: barcode },
        null,
        { value: name },
      ])
      const titles = ['Честный знак', 'Кол-во', 'ШК', 'Цена', 'Название']
      const sheet = [titles.map((value) => ({ value })), ...rows]
      const bytes = await writeXlsxFile(sheet).toBuffer()
      assert.deepEqual(
        (await readGoods({ bytes })).rows,
        goods.map(({ barcode, name, qty, honestMark }, at) => ({
          row: at + 2,
          barcode: String(barcode),
          name,
          qty,
          honestMark,
        })),
      )
    }),
    { numRuns: 50 },
  )
})

test('numbers become exactly their digits', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="0000000000000"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="11"/></cellXfs>'
  const barcodes: [cell: string, barcode: string][] = [
    [number('4600000000017'), '4600000000017'],
    [number('4.6000000000170E+12'), '4600000000017'],
    [number('4600000000017.0'), '4600000000017'],
    [number('4600000000017', 2), '4600000000017'],
    [number('46', 1), '0000000000046'],
    [number('999999999999999'), '999999999999999'],
    [text('0046'), '0046'],
    ['<c t="str"><f>A1</f><v>0047</v></c>', '0047'],
    ['<c><f>1+1</f><v>2</v></c>', '2'],
  ]
  for (const [cell, barcode] of barcodes) {
    const [line] = await read({ rows: row(cell, number('5.0')), styles })
    assert.deepEqual(line, { row: 2, barcode, qty: 5 })
  }
})

test('a value that is no barcode is refused with its row and column', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="[$-419]d\\ mmmm&quot; г.&quot;"/>' +
    '<numFmt numFmtId="171" formatCode="[Red]#,##0.00&quot; mdy&quot;\\h"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>'
  const refused: [cell: string, message: RegExp][] = [
    [number('9007199254740993'), /слишком велико.*текстовый формат/],
    [number('1.46E+19'), /слишком велико.*текстовый формат/],
    [number('1234567890123450'), /слишком велико/],
    [text('4,6E+12'), /округлённое число.*текстовый формат/],
    [number('1.5'), /дробное число/],
    [number('-5'), /дробное число/],
    [number('45000', 1), /дата вместо значения/],
    [number('45000', 2), /дата вместо значения/],
    ['<c t="d"><v>2026-01-01</v></c>', /дата вместо значения/],
    ['<c t="e"><v>#N/A</v></c>', /ошибка формулы/],
    ['<c t="b"><v>1</v></c>', /логическое значение/],
    ['<c><f>A1</f></c>', /формула без сохранённого результата/],
    [text('a_x0000_b'), /U\+0000/],
    [text('_xD83D_'), /половина символа/],
  ]
  for (const [cell, expected] of refused) {
    const found = await refusal({ rows: row(cell, number(1)), styles })
    assert.match(found, /строка 2, столбец „barcode“ \(A\): /, cell)
    assert.match(found, expected, cell)
  }
  assert.equal((await read({ rows: row(number('46', 3), number(1)), styles })).length, 1)
})

test('quantities and honest_mark may be numbers, booleans and texts', async () => {
  const mark = async (cell: string) => {
    const blank = '<c/><c/>'
    const [line] = await read({ rows: row(text('a'), text('1 000'), blank, cell) })
    return [line?.qty, line?.honestMark]
  }
  assert.deepEqual(await mark(number(1)), [1_000, true])
  assert.deepEqual(await mark('<c t="b"><v>0</v></c>'), [1_000, false])
  assert.deepEqual(await mark(text('Да')), [1_000, true])
  for (const cell of [number('1.5'), number(0), number('1e300'), '<c t="e"><v>#REF!</v></c>']) {
    assert.match(await refusal({ rows: row(text('a'), cell) }), /строка 2, столбец „qty“ \(B\)/)
  }
})

test('texts come from shared strings, rich or plain, without phonetic readings', async () => {
  const strings =
    '<si><t>barcode</t></si><si><t>qty</t></si><si><t>name</t></si>' +
    '<si><r><rPr><b/></rPr><t>Чай </t></r><r><t xml:space="preserve">&amp; кофе_x000D_\n</t></r>' +
    '<rPh sb="0" eb="1"><t>лишнее</t></rPh></si><si><t><![CDATA[<46>]]></t></si>'
  const shared = (at: number) => `<c t="s"><v>${at}</v></c>`
  const rows =
    `<row>${shared(0)}${shared(1)}${shared(2)}</row>` +
    `<row>${shared(4)}${number(1)}${shared(3)}</row>`
  assert.deepEqual(await read({ rows, strings }), [
    { row: 2, barcode: '<46>', qty: 1, name: 'Чай & кофе' },
  ])
  assert.match(await refusal({ rows: `<row>${shared(5)}</row>`, strings }), /повреждён/)
})

test('rows and cells are placed by their references, hidden rows included', async () => {
  const cells = (r: number, ...values: string[]) =>
    values.map((value, at) => `<c r="${'BD'[at]}${r}" t="str"><v>${value}</v></c>`).join('')
  const rows =
    `<row r="5" spans="1:9">${cells(5, 'qty', 'barcode')}</row><row r="6" hidden="1">` +
    `${cells(6, '1', 'a')}</row><row r="9"/><row>${cells(10, '2', 'b')}</row>` +
    `<row r="99">${cells(99, 'x', 'c')}</row>`
  const found = await refusal({ rows })
  assert.match(found, /ошибок: 1:\nстрока 99, столбец „qty“ \(B\)/)
  const goods = await read({ rows: rows.replace('>x<', '>3<') })
  assert.deepEqual(
    goods.map((line) => line.row),
    [6, 10, 99],
  )
})

test('the first visible sheet is read, at any path and with any XML prefix', async () => {
  const workbook = workbookXml(
    '<sheet name="Справочник" sheetId="1" state="veryHidden" r:id="rId1"/>' +
      '<sheet name="Диаграмма" sheetId="3" r:id="rId3"/>' +
      '<sheet name="Товары" sheetId="2" r:id="rId2"/>',
  )
  const relations = relationsXml([
    ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
    ['rId2', 'worksheet', '/Other/Goods.XML'],
    ['rId3', 'chartsheet', 'chartsheets/sheet1.xml'],
  ])
  const content = sheetXml(row(text('a'), number(1))).replaceAll(/<(\/?)(?=[a-z])/gi, '<$1x:')
  const others = [{ path: 'other/goods.xml', content: content.replace('xmlns=', 'xmlns:x=') }]
  const [line] = await read({ workbook, relations, others, rows: '' })
  assert.equal(line?.barcode, 'a')
})

test('empty cells beyond the hundredth column are allowed', async () => {
  const at = (reference: string, value: string) =>
    `<row r="2"><c r="A2" t="str"><v>a</v></c><c r="B2"><v>1</v></c><c r="${reference}2">${value}</c></row>`
  assert.equal((await read({ rows: head + at('XFD', '') })).length, 1)
  assert.match(await refusal({ rows: head + at('CV', '<v>1</v>') }), /строка 2, столбец CV: /)
  assert.match(await refusal({ rows: head + at('CW', '<v>1</v>') }), /Строка 2: .* 100 столбцов/)
})

/** A book of sheets by their names; `active` lay open when it was saved. */
function bookOf(sheets: Readonly<Record<string, string>>, active?: number): Buffer {
  const names = Object.keys(sheets)
  const view =
    active === undefined ? '' : `<bookViews><workbookView activeTab="${active}"/></bookViews>`
  const tabs = names.map(
    (name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  )
  return xlsxOf({
    workbook: workbookXml(tabs.join('')).replace('<sheets>', `${view}<sheets>`),
    relations: relationsXml(
      names.map((_, at) => [`rId${at + 1}`, 'worksheet', `worksheets\\s${at}.xml`]),
    ),
    others: Object.values(sheets).map((rows, at) => ({
      path: `xl/worksheets/s${at}.xml`,
      content: sheetXml(rows),
    })),
  })
}

const goodsSheet = (...barcodes: readonly string[]) =>
  [inlineRow('Штрихкод', 'Кол-во'), ...barcodes.map((barcode) => inlineRow(barcode, '1'))].join('')

test('the sheet with the table is found, and which one was read is said', async () => {
  const about = inlineRow('Как заполнять', 'Штрихкод обязателен')
  const read = async (bytes: Buffer) => {
    const { rows, sheet } = await readGoods({ bytes })
    return [sheet, ...rows.map(({ barcode }) => barcode)]
  }
  const after = { Инструкция: about, Товары: goodsSheet('A') }
  assert.deepEqual(await read(bookOf(after)), ['Товары', 'A'])
  assert.deepEqual(await read(bookOf(after, 0)), ['Товары', 'A'])
  const two = { Старые: goodsSheet('A'), Новые: goodsSheet('B') }
  assert.deepEqual(await read(bookOf(two, 1)), ['Новые', 'B'])
  assert.deepEqual(await read(bookOf(two)), ['Старые', 'A'])
  assert.deepEqual(await read(bookOf({ Пустой: goodsSheet(), Товары: goodsSheet('A') })), [
    'Товары',
    'A',
  ])
  assert.deepEqual(await read(bookOf({ Один: goodsSheet('A') })), [undefined, 'A'])
  await assert.rejects(
    readGoods({ bytes: bookOf({ Пустой: '', Товары: goodsSheet('NULL') }) }),
    /прочитан лист „Товары“, ошибок: 1/,
  )
  await assert.rejects(readGoods({ bytes: bookOf({ А: about, Б: about }) }), /нет столбцов barcode/)
})

test('rows with nothing but an empty box to tick are no goods', async () => {
  const box = '<row><c/><c/><c/><c/><c t="b"><v>0</v></c></row>'
  const rows = `${row(text('a'), number(1))}${box}${box}<row><c t="e"><v>#N/A</v></c><c><f>1-1</f><v>0</v></c></row>`
  assert.deepEqual(await read({ rows }), [{ row: 2, barcode: 'a', qty: 1 }])
})

test('a number that lost its end or its leading zero is refused', async () => {
  for (const value of ['4607050000000', '14607050000000', '36000291452', '1234565']) {
    const found = await refusal({ rows: row(number(value), number(1)) })
    assert.match(found, /„barcode“ \(A\): „\d+“ — (?:последние цифры|похоже)/, value)
  }
})

test('a sum that a formula left with a rest beyond fifteen digits is a whole number', async () => {
  const [line] = await read({ rows: row(text('a'), number('2.9999999999999996')) })
  assert.equal(line?.qty, 3)
})
