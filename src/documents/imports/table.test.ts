import assert from 'node:assert/strict'
import test from 'node:test'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { readGoods } from './goods.ts'
import { fieldOf } from './headings.ts'

const read = async (content: string | Buffer) =>
  (await readGoods({ bytes: Buffer.from(content) })).rows

async function refusal(content: string): Promise<string> {
  const error = await read(content).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ServiceError, String(error))
  assert.equal(error.code, 'validation_error')
  return error.message
}

test('headings are known in both languages, in any spelling', () => {
  const known = {
    barcode: ['barcode', ' BarCode ', 'EAN', 'EAN-13', 'Штрихкод', 'ШТРИХ-КОД*', 'баркод', 'ШК'],
    name: ['name', 'Название', 'Наименование товара', 'товар'],
    article: ['article', 'Артикул', 'Артикул продавца'],
    qty: ['qty', 'Quantity', 'Количество, шт.', 'Кол-во', 'кол.', 'ШТ', 'Количество (шт)'],
    honest_mark: ['honest_mark', 'Честный ЗНАК', 'Маркировка (да/нет)', 'КИЗ', 'ЧЗ'],
  }
  for (const [field, headings] of Object.entries(known)) {
    for (const heading of headings) assert.equal(fieldOf(heading), field, heading)
  }
  for (const heading of ['', 'цена', 'Артикул WB', 'constructor', 'toString']) {
    assert.equal(fieldOf(heading), undefined, heading)
  }
})

test('columns may have any order, and unknown columns are ignored', async () => {
  assert.deepEqual(await read('Цена,кол-во,Фото,ШК\n1.5,3,x.png,0046\n'), [
    { row: 2, barcode: '0046', qty: 3 },
  ])
})

test('a missing heading is named', async () => {
  assert.match(await refusal('name;qty\nа;1\n'), /\(строка 1\) нет столбца barcode \(штрихкод\)\./)
  assert.match(await refusal('\n\nназвание\nа\n'), /\(строка 3\) нет столбцов barcode .* и qty/)
})

test('a repeated heading is named with both columns', async () => {
  assert.equal(
    await refusal('ШК;qty;EAN\n1;1;1\n'),
    'Строка 1: столбец „ШК“ (A) и столбец „EAN“ (C) означают одно и то же (barcode), ' +
      'оставьте один из них',
  )
})

test('rows that are empty in the columns that are read are skipped', async () => {
  const goods = await read('№;barcode;qty\n1;a;1\n\n2;;\n3; ;\u00a0\n4;b;2\n')
  assert.deepEqual(
    goods.map(({ row }) => row),
    [2, 6],
  )
})

test('a file without rows is refused', async () => {
  assert.match(await refusal('barcode;qty\n;\n'), /нет ни одной строки с товаром/)
  assert.match(await refusal(' \n;\n'), /нет ни одной заполненной строки/)
})

test('each wrong cell is named with its row and column, and no rows are returned', async () => {
  const found = await refusal('Штрихкод;Кол-во;ЧЗ\n1;1;да\n;2;нет\n3;x;может\n')
  assert.deepEqual(found.split('\n'), [
    'Файл не принят, ошибок: 3:',
    'строка 3, столбец „Штрихкод“ (A): не заполнен штрихкод',
    'строка 4, столбец „Кол-во“ (B): ожидается целое число от 1 до 100000, указано „x“',
    'строка 4, столбец „ЧЗ“ (C): ожидается да или нет, указано „может“',
  ])
})

test('a repeated barcode is refused, and both rows are named', async () => {
  assert.match(
    await refusal('barcode;qty\nA1;1\nA2;1\n A1 ;5\n'),
    /строка 4, столбец „barcode“ \(A\): штрихкод A1 уже есть в строке 2$/,
  )
})

test('a message names at most fifty errors and has a bounded length', async () => {
  const found = await refusal(`barcode;qty\n${`1;${'ы'.repeat(900)}\n`.repeat(5_000)}`)
  assert.match(found, /^Файл не принят, первые ошибки \(50\)/)
  assert.equal(found.split('\n').length, 51)
  assert.ok(found.length < 15_000)
})

const qty: Readonly<Record<string, number | undefined>> = {
  '5': 5,
  ' 5 ': 5,
  '5,0': 5,
  '5.00': 5,
  '005': 5,
  '1 000': 1_000,
  '1\u00a0000': 1_000,
  '1\u202f000,00': 1_000,
  '100000': 100_000,
  '100001': undefined,
  '0': undefined,
  '-1': undefined,
  '5,5': undefined,
  '1,000': undefined,
  '1.000': undefined,
  '10 00': undefined,
  '1e3': undefined,
  '0x10': undefined,
  '5 шт': undefined,
  '': undefined,
  ['9'.repeat(400)]: undefined,
}

for (const [written, expected] of Object.entries(qty)) {
  test(`qty «${written.slice(0, 20)}» is ${expected ?? 'refused'}`, async () => {
    const content = `barcode;qty;name\n1;"${written}";а\n`
    if (expected === undefined) assert.match(await refusal(content), /строка 2, столбец „qty“/)
    else assert.equal((await read(content))[0]?.qty, expected)
  })
}

test('a barcode that a spreadsheet program has turned into a number is refused', async () => {
  for (const barcode of ['4,6E+12', '4.60E+12', '4.6E12', '4E+12', '4,6e+12']) {
    const found = await refusal(`barcode;qty\n${barcode};1\n`)
    assert.match(found, /строка 2, столбец „barcode“ \(A\): .*задайте столбцу текстовый формат/)
  }
  for (const barcode of ['4600000000017.0', '4600000000017,00']) {
    assert.match(await refusal(`barcode;qty\n${barcode};1\n`), /дробное число/)
  }
})

test('a barcode keeps its zeros, letters and signs', async () => {
  for (const barcode of ['0046', '46E12', 'A-1.5', '(01)046', '1.5', 'ШК 5', '😀'.repeat(64)]) {
    assert.equal((await read(`barcode;qty\n${barcode};1\n`))[0]?.barcode, barcode)
  }
})

test('lengths are counted in code points', async () => {
  const long = '😀'.repeat(500)
  const [line] = await read(`barcode;qty;name;article\n1;1;${long};${long}\n`)
  assert.deepEqual([line?.name, line?.article], [long, long])
  assert.match(await refusal(`barcode;qty;name\n1;1;${long}a\n`), /„name“ \(C\): не больше 500/)
  assert.match(await refusal(`barcode;qty;article\n1;1;${long}a\n`), /„article“ .* больше 500/)
  assert.match(await refusal(`barcode;qty\n${'1'.repeat(65)};1\n`), /„barcode“ .* больше 64/)
  assert.match(await refusal(`barcode;qty\n${'1'.repeat(9_999)};1\n`), /„barcode“ .* больше 64/)
})

test('honest_mark is yes, no, or undefined without a cell or column', async () => {
  const words: [string, boolean | undefined][] = [
    ...['да', 'ДА', 'yes', 'True', '1', '+'].map((word): [string, boolean] => [word, true]),
    ...['нет', 'No', 'FALSE', '0', '-'].map((word): [string, boolean] => [word, false]),
    ['', undefined],
  ]
  for (const [word, expected] of words) {
    const [line] = await read(`barcode;qty;honest_mark\n1;1;${word}\n`)
    assert.equal(line?.honestMark, expected, word)
  }
  assert.equal((await read('barcode;qty\n1;1\n'))[0]?.honestMark, undefined)
  assert.match(await refusal('barcode;qty;КИЗ\n1;1;010460\n'), /„КИЗ“ \(C\): ожидается да или нет/)
})

test('more than ten thousand rows or a hundred columns are refused', async () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => `${at};1\n`).join('\n')
  assert.equal((await read(`barcode;qty\n${rows}`)).length, 10_000)
  assert.match(await refusal(`barcode;qty\n${rows}x;1\n`), /больше 10000 строк/)
  assert.match(await refusal(`barcode;qty\n${';\n'.repeat(100_000)}1;1\n`), /вместе с пустыми/)
  const wide = (columns: number) => `barcode;qty${';x'.repeat(columns - 2)};;\n1;1\n`
  assert.equal((await read(wide(100))).length, 1)
  assert.match(await refusal(wide(101)), /Строка 1: заполнено больше 100 столбцов/)
})

test('a filled cell beyond the last heading is refused: an unquoted comma may have shifted the row', async () => {
  const found = await refusal('barcode,name,qty\n888,Плед 150,200,10\n5,Чай,1\n,,,10\n')
  assert.match(found, /ошибок: 2:\nстрока 2, столбец D: .* нет заголовка|нет; в CSV/)
  assert.match(found, /\nстрока 4, столбец D: /)
  assert.equal((await read('barcode,qty,\n1,1,\n2,2,,,\n')).length, 2)
  const many = await refusal(`barcode,qty\n${',,x\n'.repeat(5_000)}`)
  assert.match(many, /^Файл не принят, первые ошибки \(50\)/)
})

test('wrong cells and goods that nobody knows by name are refused at once, in the order of the file', async () => {
  const content = 'barcode;name;qty\nA;;1\nB;;1\nC;Чай;две\nD;;0\n'
  const asked: (readonly string[])[] = []
  const known = async (barcodes: readonly string[]) => {
    asked.push(barcodes)
    return new Set(['A'])
  }
  await assert.rejects(readGoods({ bytes: Buffer.from(content) }, known), (error: Error) => {
    const [head, ...lines] = error.message.split('\n')
    assert.match(head ?? '', /ошибок: 4/)
    assert.deepEqual(
      lines.map((line) => line.slice(0, line.indexOf(': '))),
      [
        'строка 3, столбец „name“ (B)',
        'строка 4, столбец „qty“ (C)',
        'строка 5, столбец „qty“ (C)',
        'строка 5, столбец „name“ (B)',
      ],
    )
    return true
  })
  assert.deepEqual(asked, [['A', 'B', 'D']])
  const { rows } = await readGoods({ bytes: Buffer.from('barcode;qty\nA;1\n') }, known)
  assert.equal(rows.length, 1)
})

test('what nobody sees is no part of a barcode or an article, and names keep what they show', async () => {
  const content =
    'barcode;name;article;qty\n4600000000015\u200b;П\u00adлед\u200b 👩‍🚀;\u202aP-1\u202c;1\n' +
    "'4600000000022;Кружка;;２\n4\u00a0600000\u00a0000039;Чай;;1\u2007000\n"
  assert.deepEqual(await read(content), [
    { row: 2, barcode: '4600000000015', name: 'Плед 👩‍🚀', article: 'P-1', qty: 1 },
    { row: 3, barcode: '4600000000022', name: 'Кружка', qty: 2 },
    { row: 4, barcode: '4600000000039', name: 'Чай', qty: 1_000 },
  ])
})

test('what a program left where a value was lost is refused in every column', async () => {
  for (const lost of ['########', '#N/A', '#ЗНАЧ!', 'NULL']) {
    assert.match(await refusal(`barcode;qty\n${lost};1\n`), /„barcode“ \(A\): .*след потерянного/)
    assert.match(await refusal(`barcode;name;qty\n1;${lost};1\n`), /„name“ \(B\)/)
    assert.match(await refusal(`barcode;article;qty\n1;${lost};1\n`), /„article“ \(B\)/)
  }
  for (const date of ['12.май', '05.12.2026', '2026-12-05', 'май.26', '05.12.2026 10:00']) {
    assert.match(await refusal(`barcode;qty\n${date};1\n`), /„barcode“ \(A\): дата/)
    assert.match(await refusal(`barcode;article;qty\n1;${date};1\n`), /„article“ \(B\): дата/)
  }
  assert.match(await refusal('barcode;article;qty\n1;1,2E+06;1\n'), /„article“ .*округлённое/)
})

test('a GTIN with other signs in it is refused, and the digits are named', async () => {
  const written = [
    ...['4,600,000,000,015', '4.600.000.000.015', '4600000000015,', '=4600000000015'],
    ...[
      '+4600000000015',
      'EAN: 4600000000015',
      'ШК 4600000000015',
      '46ОО000000015',
      '460000000001⁵',
    ],
    ...['٤٦٠٠٠٠٠٠٠٠٠١٥', '46-0000-0000015'],
  ]
  for (const barcode of written) {
    assert.match(
      await refusal(`barcode\tqty\n${barcode}\t1\n`),
      /„barcode“ \(A\): .*лишние знаки: если это 4600000000015,|потерянного/,
      barcode,
    )
  }
  for (const own of ['A-4600000000015', '(01)04600000000015', '4600000000016-1', 'O1234567890']) {
    assert.equal((await read(`barcode;qty\n${own};1\n`))[0]?.barcode, own)
  }
})

test('several barcodes in one cell are refused', async () => {
  for (const cell of ['"4600000000246;4600000000253"', '4600000000246 4600000000253']) {
    assert.match(await refusal(`баркоды;qty\n${cell};1\n`), /„баркоды“ \(A\): несколько штрихкодов/)
  }
})

test('a barcode that lost its last digits or its leading zero is refused', async () => {
  for (const barcode of ['4607050000000', '885909000000']) {
    assert.match(await refusal(`barcode;qty\n${barcode};1\n`), /„barcode“ \(A\): .*нулями/)
  }
  assert.equal((await read('barcode;qty\n4600000006000;1\n')).length, 1, 'a valid check digit')
  for (const [barcode, whole] of [
    ['36000291452', '036000291452'],
    ['1234565', '01234565'],
  ]) {
    assert.match(await refusal(`barcode;qty\n${barcode};1\n`), new RegExp(`если это ${whole}`))
  }
  const known = async () => new Set(['1234565'])
  const own = await readGoods({ bytes: Buffer.from('barcode;qty\n1234565;1\n') }, known)
  assert.equal(own.rows.length, 1, 'a code of seven digits that the warehouse knows')
  assert.equal((await read('barcode;qty\n1234567;1\n')).length, 1)
})

test('texts that another program has spoilt are refused', async () => {
  const spoilt = ['РџР»РµРґ', 'ÐŸÐ»ÐµÐ´', '╨Я╨╗╨╡╨┤', '–ü–ª–µ–¥', 'Пл\ufffdд', '????? ???']
  for (const name of spoilt) {
    assert.match(await refusal(`barcode;name;qty\n1;${name};1\n`), /„name“ \(B\): /, name)
  }
  assert.match(await refusal('РЁС‚СЂРёС…РєРѕРґ;РљРѕР»-РІРѕ\n1;1\n'), /не в той кодировке/)
  const fine = ['Что???', '«Утро» – чай', 'Café', 'Рис С«', 'Россия', '54°С', '№ 5', 'ТВ»']
  for (const name of fine) {
    assert.equal((await read(`barcode;name;qty\n1;${name};1\n`))[0]?.name, name)
  }
})

test('rows that are prepared below the goods, totals and repeated headings are no goods', async () => {
  const goods = await read(
    'Штрихкод;Название;Кол-во;ЧЗ\n1;Плед;2;да\n;;;нет\n;#N/A;0;FALSE\n;;0;\nШтрихкод;Название;Кол-во;ЧЗ\n' +
      '2;Чай;3;\nИтого:;;5;\n;Всего наименований 2;5;\n',
  )
  assert.deepEqual(
    goods.map(({ barcode, qty }) => [barcode, qty]),
    [
      ['1', 2],
      ['2', 3],
    ],
  )
  assert.match(await refusal('ШК;Кол-во\n1;1\n;1\n'), /строка 3, .*не заполнен штрихкод/)
  assert.equal((await read('ШК;Название;Кол-во\nA;Итоговая тетрадь;1\n')).length, 1)
})

test('the headings are found below a title, and in two rows that merged cells make', async () => {
  const titled =
    'Накладная № 5 от 28.11.2026\nПоставщик;ООО «Север»\n\n№;Товар;Штрихкод;Кол-во\n1;Плед;A;2\n'
  assert.deepEqual(await read(titled), [{ row: 5, barcode: 'A', name: 'Плед', qty: 2 }])
  const merged = 'Товар;;Количество\nНазвание;Штрихкод;\nПлед;A;2\n'
  assert.deepEqual(await read(merged), [{ row: 3, barcode: 'A', name: 'Плед', qty: 2 }])
  const far = `${'x\n'.repeat(300)}barcode;qty\n1;1\n`
  assert.match(await refusal(far), /нет столбцов barcode/)
})

test('a second table with other columns is refused, one with the same is read on', async () => {
  assert.equal((await read('ШК;Кол-во\n1;1\n\nШК;Кол-во\n2;1\n')).length, 2)
  const found = await refusal('ШК;Кол-во\n1;1\n\nНазвание;ШК;Кол-во\nА;2;1\n')
  assert.match(found, /Строка 4: начинается вторая таблица/)
})
