import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { csvOf } from '../exports/csv.ts'
import { readGoods } from './goods.ts'
import type { GoodsRow } from './goods-row.ts'

const read = async (content: string | Buffer) =>
  (await readGoods({ bytes: Buffer.from(content) })).rows

async function message(content: string | Buffer): Promise<string> {
  const error = await read(content).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ServiceError, String(error))
  return error.message
}

/** Characters with a meaning in CSV, and characters that every encoding has. A dash that touches letters may be a letter of another encoding. */
const text = fc
  .string({ unit: fc.constantFrom(...'яЖё№aZ07 ",;\t\n\r=«»', ' — '), minLength: 1, maxLength: 12 })
  .map((drawn) => `т${drawn.replace(/\r\n?/g, '\n')}`.trim())

const line = fc.record({
  barcode: text,
  name: fc.option(text, { nil: undefined }),
  article: fc.option(text, { nil: undefined }),
  qty: fc.integer({ min: 1, max: 100_000 }),
  honestMark: fc.boolean(),
})
const lines = fc.uniqueArray(line, {
  selector: ({ barcode }) => barcode,
  minLength: 1,
  maxLength: 20,
})

interface Writing {
  readonly separator: string
  readonly lineEnd: string
  readonly encode: (written: string) => Buffer
  readonly isNamed: boolean
  readonly quotesAll: boolean
}

const writing: fc.Arbitrary<Writing> = fc.record({
  separator: fc.constantFrom(';', ',', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encode: fc.constantFrom(utf8, utf8Marked, utf16le, utf16be, windows1251),
  isNamed: fc.boolean(),
  quotesAll: fc.boolean(),
})

function utf8(written: string): Buffer {
  return Buffer.from(written)
}

function utf8Marked(written: string): Buffer {
  return Buffer.from(`\ufeff${written}`)
}

function utf16le(written: string): Buffer {
  return Buffer.from(`\ufeff${written}`, 'utf16le')
}

function utf16be(written: string): Buffer {
  return utf16le(written).swap16()
}

function windows1251(written: string): Buffer {
  const decoder = new TextDecoder('windows-1251')
  const table = [...decoder.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))]
  return Buffer.from([...written].map((char) => table.indexOf(char)))
}

function write(rows: readonly string[][], as: Writing): Buffer {
  const field = (value: string) =>
    as.quotesAll || /[",;\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
  const written = rows.map((row) => row.map(field).join(as.separator) + as.lineEnd)
  return as.encode((as.isNamed ? `sep=${as.separator}${as.lineEnd}` : '') + written.join(''))
}

test('CSV is read back in every dialect and encoding', async () => {
  await fc.assert(
    fc.asyncProperty(lines, writing, async (goods, as) => {
      const rows = goods.map(({ barcode, name = '', article = '', qty, honestMark }) => [
        ...[name, barcode, honestMark ? 'Да' : 'нет', String(qty), article],
      ])
      const head = ['Название', 'Штрихкод', 'Честный знак', 'Кол-во', 'Артикул']
      const expected = goods.map((given, at): GoodsRow => {
        const { name, article, ...rest } = given
        return {
          row: at + 2,
          ...rest,
          ...(name === undefined ? {} : { name }),
          ...(article === undefined ? {} : { article }),
        }
      })
      assert.deepEqual(await read(write([head, ...rows], as)), expected)
    }),
    { numRuns: 300 },
  )
})

test('the split of the file into chunks does not change a text', async () => {
  const name = 'Ж"я\n'.repeat(100)
  const rows = Array.from({ length: 400 }, (_, at) => `${at};"${name.replaceAll('"', '""')}";1\r\n`)
  for (const encode of [utf8, utf16le, utf16be, windows1251]) {
    const goods = await read(encode(`barcode;name;qty\r\n${rows.join('')}`))
    assert.equal(goods.length, 400)
    for (const line of goods) assert.equal(line.name, name.trim())
  }
})

test('line ends may differ within a file', async () => {
  const goods = await read('barcode,qty\r1,1\r\n2,2\n3,3')
  assert.deepEqual(
    goods.map(({ row, qty }) => [row, qty]),
    [
      [2, 1],
      [3, 2],
      [4, 3],
    ],
  )
})

test('the line sep=… names the separator, with any line end', async () => {
  for (const first of ['sep=,', '"sep=,"', 'SEP=,']) {
    const [line] = await read(`${first}\r\nbarcode,qty,name\r\n1,2,a;b;c;d\r\n`)
    assert.deepEqual(line, { row: 2, barcode: '1', qty: 2, name: 'a;b;c;d' })
  }
})

test('the separator is the one that finds known headings in the first line', async () => {
  const [line] = await read('Примечание, цвет, размер и прочее;ШК;шт\nа,б;1;2')
  assert.deepEqual(line, { row: 2, barcode: '1', qty: 2 })
})

test('rows have the numbers that a spreadsheet program shows', async () => {
  const content = '\n\nbarcode;name;qty\n1;"две\nстроки";1\n\n;;\n2;б;х\n'
  assert.match(await message(content), /строка 7, столбец „qty“ \(C\)/)
})

test('a quote inside an unquoted field is a character', async () => {
  const [line] = await read('barcode;name;qty\n1;Чай "Утро" 100 г;2\n')
  assert.equal(line?.name, 'Чай "Утро" 100 г')
})

test('an unclosed quote is refused with its row', async () => {
  assert.match(await message('barcode;qty\n1;1\n"2;2\n3;3\n'), /Строка 3: кавычка/)
  const long = `barcode;qty\n"${'1;2\n'.repeat(100_000)}`
  assert.match(await message(long), /Строка 2: длиннее 128 КиБ; возможно, не закрыта кавычка/)
})

test('="…" keeps a text from becoming a number', async () => {
  const [line] = await read('barcode;qty\n="0012";="5"\n')
  assert.deepEqual(line, { row: 2, barcode: '0012', qty: 5 })
})

test('damaged UTF-16 is refused', async () => {
  const bytes = utf16le('barcode;qty\n1;1\n')
  assert.match(await message(bytes.subarray(0, -1)), /Текст файла повреждён/)
  assert.match(await message(utf16le('barcode;qty\n\ud800;1\n')), /Текст файла повреждён/)
})

test('quotes that a program did not double are read as they were meant, or refused', async () => {
  const name = async (field: string) => (await read(`barcode;name;qty\n1;${field};5\n`))[0]?.name
  assert.equal(await name('"Плед "Уют" серый"'), 'Плед "Уют" серый')
  assert.equal(await name('"Экран 43" чёрный"'), 'Экран 43" чёрный')
  assert.equal(await name('"Утро" и "День"'), '"Утро" и "День"')
  assert.equal(await name('"""Утро"" и ""День"""'), '"Утро" и "День"')
  assert.equal(await name('"""Утро"""'), '"Утро"')
  assert.match(await message('barcode;name;qty\n1;"Плед "Уют;5\n'), /„name“ \(B\): кавычки/)
})

test("our own exports are read back: the guard of a spreadsheet's formula is no part of a text", async () => {
  const columns = ['Штрихкод', 'Товар', 'Количество'].map((title, at) => ({
    title,
    kind: at === 2 ? ('number' as const) : ('text' as const),
  }))
  const texts = ['-20% Плед', '=460', '+7 900', '@a', '  =1', '＝1', "'5", 'Плед "Уют"; серый']
  const rows = texts.map((text, at) => [`A${at}`, text, 1] as const)
  const batches = (async function* () {
    yield rows
  })()
  const parts: Buffer[] = []
  for await (const part of csvOf({ title: 'x', columns, batches })) parts.push(part as Buffer)
  assert.deepEqual(
    (await read(Buffer.concat(parts))).map((line) => line.name),
    texts.map((text) => text.trim()),
  )
  assert.equal((await read("barcode;qty\n'=460;1\n"))[0]?.barcode, '=460')
})

/** A text in an encoding of one byte per character. */
function encoded(text: string, name: string): Buffer {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const table = [...new TextDecoder(name).decode(bytes)]
  return Buffer.from([...text].map((character) => table.indexOf(character)))
}

const oneByte = ['windows-1251', 'ibm866', 'koi8-r', 'x-mac-cyrillic', 'iso-8859-5']

test('text of DOS, Unix and Macs is recognised', async () => {
  const names = [
    'Подушка детская',
    'ЧАЙНИК ЭЛЕКТРИЧЕСКИЙ',
    'плед шерстяной ёлка',
    'Чай зелёный, 100 г',
  ]
  for (const encoding of oneByte) {
    for (const head of ['Штрихкод;Название;Количество', 'barcode;name;qty']) {
      const lines = names.map((name, at) => `${at};${name};1`)
      const goods = await read(encoded([head, ...lines].join('\r\n'), encoding))
      assert.deepEqual(
        goods.map(({ name }) => name),
        names,
        encoding,
      )
    }
  }
})

test('too few letters to tell their encoding are refused, never read as other letters', async () => {
  for (const name of ['Чай', 'ШАРФ', 'мыло', 'Носки']) {
    for (const encoding of oneByte) {
      const bytes = encoded(`barcode;name;qty\n1;${name};1\n`, encoding)
      const found = await read(bytes).then(
        ([line]) => line?.name,
        (error: Error) => error.message,
      )
      assert.ok(found === name || /[Кк]одировк/.test(found ?? ''), `${encoding}: ${name}, ${found}`)
    }
  }
})

test('UTF-8 with a bad byte is damaged text, with its mark and without', async () => {
  for (const mark of ['', '\ufeff']) {
    const bytes = Buffer.from(`${mark}barcode;name;qty\n1;Очень длинное название;2\n2;Плед;1\n`)
    const cut = bytes.indexOf(Buffer.from('ие;2')) + 3
    const damaged = Buffer.concat([bytes.subarray(0, cut), bytes.subarray(cut + 1)])
    assert.match(await message(damaged), /Текст файла повреждён/)
  }
})

test('UTF-16 without its mark is read', async () => {
  const bytes = Buffer.from('Штрихкод;Название;шт\r\n46;Плед;2\r\n', 'utf16le')
  for (const file of [bytes, Buffer.from(bytes).swap16()]) {
    assert.deepEqual(await read(file), [{ row: 2, barcode: '46', name: 'Плед', qty: 2 }])
  }
})
