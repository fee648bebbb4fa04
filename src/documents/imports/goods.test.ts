import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { inlineRow, xlsxOf, zipOf } from '../../../tests/support/xlsx-file.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { fileBytesMax, type GoodsFile, readGoods } from './goods.ts'

const csv = Buffer.from('\ufeffШтрихкод;Название;шт\r\n"46";"Чай ""Утро""";1\r\n47;;2\r\n')
const xlsx = xlsxOf({ rows: `${inlineRow('barcode', 'qty')}${inlineRow('46', '1')}` })

async function outcome(file: GoodsFile): Promise<ServiceError | number> {
  try {
    return (await readGoods(file)).rows.length
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
    assert.ok(['bad_request', 'validation_error'].includes(error.code))
    assert.match(error.message, /[а-я]/)
    return error
  }
}

async function refusal(file: GoodsFile): Promise<string> {
  const found = await outcome(file)
  assert.ok(found instanceof ServiceError)
  return found.message
}

test('the content decides the format of a file, not its name and type', async () => {
  for (const contentType of [undefined, 'text/csv', 'application/octet-stream', 'image/png']) {
    assert.equal(await outcome({ bytes: xlsx, contentType, fileName: 'x.csv' }), 1)
  }
  const types = [undefined, 'text/csv; charset=utf-8', 'TEXT/PLAIN', 'application/vnd.ms-excel']
  for (const contentType of types) assert.equal(await outcome({ bytes: csv, contentType }), 2)
  assert.equal(await outcome({ bytes: csv, contentType: 'x/y', fileName: 'ТОВАРЫ.CSV' }), 2)
})

test('a file that is neither CSV nor XLSX is refused as such', async () => {
  const old = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  assert.match(await refusal({ bytes: old }), /Старый формат Excel \(\.xls\) или файл с паролем/)
  assert.match(await refusal({ bytes: csv, contentType: 'application/json' }), /ни на CSV/)
  assert.match(await refusal({ bytes: Buffer.from('%PDF-1.7\n\0\x01') }), /ни на CSV/)
  assert.match(await refusal({ bytes: Buffer.alloc(0) }), /Файл пуст/)
  assert.match(await refusal({ bytes: Buffer.from('\ufeff') }), /Файл пуст/)
  assert.match(await refusal({ bytes: Buffer.from('<html>') }), /нет столбцов barcode/)
})

test('a file larger than ten mebibytes is refused', async () => {
  assert.match(await refusal({ bytes: Buffer.alloc(fileBytesMax + 1) }), /больше 10 МиБ/)
})

test('any bytes are read or refused with a ServiceError', async () => {
  const spoilt = (whole: Buffer) =>
    fc
      .tuple(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }))
      .map(([at, bytes]) => {
        return Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at + bytes.length)])
      })
  const words = ['barcode', 'qty', ';', ',', '\n', '"', '1', '\r', 'sep=', '\ufeff', '\0', 'я']
  const soup = fc.string({ unit: fc.constantFrom(...words), maxLength: 60 })
  const files = fc.oneof(
    spoilt(xlsx),
    spoilt(csv),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.uint8Array({ maxLength: 99 }).map((bytes) => Buffer.from([0x50, 0x4b, 3, 4, ...bytes])),
    fc.uint8Array({ maxLength: 99 }).map((bytes) => Buffer.from([0xff, 0xfe, ...bytes])),
    soup.map((text) => Buffer.from(text)),
  )
  await fc.assert(
    fc.asyncProperty(files, async (bytes) => {
      await outcome({ bytes })
    }),
    { numRuns: 1_000 },
  )
})

/** The effect of one reading: turns of the event loop, and growth of the memory in MiB. */
async function cost(bytes: Buffer) {
  const before = process.memoryUsage.rss()
  let peak = before
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    peak = Math.max(peak, process.memoryUsage.rss())
    if (!isOver) setImmediate(turn)
  }
  turn()
  const found = await outcome({ bytes })
  isOver = true
  return { found, turns, grownMib: (peak - before) / 2 ** 20 }
}

test('ten thousand rows take little memory and do not block the event loop', async () => {
  const line = (at: number) => ['46'.padEnd(13, String(at)) + at, '5', `Чай «Утро» № ${at}`, 'A-1']
  const head = ['barcode', 'qty', 'name', 'article']
  const rows = [head, ...Array.from({ length: 10_000 }, (_, at) => line(at))]
  const files = {
    xlsx: xlsxOf({ rows: rows.map((row) => inlineRow(...row)).join('') }),
    csv: Buffer.from(rows.map((row) => row.join(';')).join('\n')),
  }
  for (const [kind, bytes] of Object.entries(files)) {
    const { found, turns, grownMib } = await cost(bytes)
    assert.equal(found, 10_000, kind)
    assert.ok(turns > 10, `${kind}: ${turns} turns`)
    assert.ok(grownMib < 96, `${kind}: ${grownMib} MiB`)
  }
})

test('hostile CSV is refused in bounded memory', async () => {
  const fill = (unit: string) => `barcode;qty\n${unit.repeat(3_000_000 / unit.length)}`
  for (const unit of ['\n', ';\n', '"', '""\n', ';', '1;1\n', ',', 'ы']) {
    const { found, grownMib } = await cost(Buffer.from(fill(unit)))
    assert.ok(found instanceof ServiceError, unit)
    assert.ok(grownMib < 160, `${unit}: ${grownMib} MiB`)
  }
})

test('a file of another format is named, with what to save instead', async () => {
  const zip = (path: string) => zipOf([{ path, content: '<x/>' }])
  const files: [bytes: Buffer, says: RegExp][] = [
    [Buffer.from('\ufeff\r\n<html><body><table><tr><td>barcode'), /HTML.*\.xlsx/],
    [Buffer.from('<table border=1><tr><td>ШК</td></tr></table>'), /HTML.*\.xlsx/],
    [Buffer.from('<!DOCTYPE html>', 'utf16le'), /HTML/],
    [
      Buffer.from('\ufeff<html xmlns:x="urn:schemas-microsoft-com:office:excel">', 'utf16le'),
      /HTML/,
    ],
    [
      Buffer.from(
        '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
      ),
      /SpreadsheetML.*\.xlsx/,
    ],
    [Buffer.from('<?xml version="1.0"?><КоммерческаяИнформация>'), /XML/],
    [Buffer.from('MIME-Version: 1.0\r\nX-Document-Type: Workbook'), /MHTML.*\.xlsx/],
    [Buffer.from('[{"barcode":"46"}]'), /JSON/],
    [Buffer.from('%PDF-1.7'), /PDF/],
    [Buffer.from('89504e470d0a1a0a', 'hex'), /картинка/],
    [Buffer.from('Rar!\x1a\x07\0'), /RAR/],
    [Buffer.from('0908080000', 'hex'), /Старый формат Excel/],
    [zip('content.xml'), /OpenDocument/],
    [zip('Index/Document.iwa'), /Numbers/],
    [zip('Товары.xlsx'), /архив/],
  ]
  for (const [bytes, says] of files) {
    for (const contentType of ['application/vnd.ms-excel', 'text/csv']) {
      assert.match(await refusal({ bytes, contentType, fileName: 'Товары.xls' }), says)
    }
  }
  const compound = (name: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(name, 'utf16le')])
  assert.match(await refusal({ bytes: compound('EncryptedPackage') }), /с паролем/)
  assert.match(await refusal({ bytes: compound('WordDocument') }), /Word/)
})
