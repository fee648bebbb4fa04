import assert from 'node:assert/strict'
import test from 'node:test'
import { inlineRow, xlsxOf } from '../../../tests/support/xlsx-file.ts'
import { composedSets, readSets } from './sets.ts'

/** Every barcode of two digits is known, and 046 is 46; 70 is a set that has 71 as a part. */
const goods = {
  own: (written: string) => (/^\d\d$/.test(written) ? written : { '046': '46' }[written]),
  isSet: (barcode: string) => barcode === '70',
  setsWith: (barcode: string) => (barcode === '71' ? ['70'] : []),
}
const fileOf = (lines: readonly string[]) => ({
  bytes: Buffer.from(lines.join('\r\n')),
  contentType: 'text/csv',
})

async function read(...lines: string[]) {
  const table = await readSets(fileOf(lines))
  const sets = composedSets(table, goods, 3)
  return {
    sets: sets.map(({ barcode, parts }) => [barcode, ...parts]),
    problems: table.problems.found.map(({ row, column, rule }) => [row, column.at, rule] as const),
  }
}

test('rows of one set are its parts, under headings of several kinds', async () => {
  const { sets, problems } = await read(
    'Штрихкод набора;Название набора;Штрихкод части;Название части;Штук в наборе',
    '10;Чай;046;Чашка;2',
    '20;;47;;1',
    ';;;;',
    '10;Чай;47;;1',
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(sets, [
    ['10', ['46', 2], ['47', 1]],
    ['20', ['47', 1]],
  ])
  const other = await read('Набор;Часть;Кол-во', '10;46;1')
  assert.deepEqual(other.sets, [['10', ['46', 1]]])
  const bytes = xlsxOf({ rows: inlineRow('set', 'part', 'qty') + inlineRow('10', '46', '3') })
  const table = await readSets({ bytes })
  assert.deepEqual(composedSets(table, goods, 3), [{ barcode: '10', parts: new Map([['46', 3]]) }])
})

test('every wrong cell is named', async () => {
  const { problems } = await read(
    'Штрихкод набора;Штрихкод части;Штук в наборе',
    '10;zz;1',
    '10;;1',
    '10;46;0',
    '10;46;1001',
    '10;10;1',
    '10;46;1',
    '10;046;1',
    '20;70;1',
    '20;10;1',
    '71;47;1',
    '30;41;1',
    '30;42;1',
    '30;43;1',
    '30;44;1',
  )
  const found = problems.map(([row, at, rule]) => `${row} ${at} ${rule}`)
  const expected = [
    /^2 1 товара zz у клиента нет/,
    /^3 1 не заполнен штрихкод/,
    /^4 2 ожидается целое число/,
    /^5 2 не больше 1000/,
    /^6 1 это сам набор/,
    /^8 1 .*названа в строке 7/,
    /^9 1 это набор/,
    /^10 1 это набор/,
    /^11 0 товар входит в набор 70/,
    /^15 1 в наборе не больше 3/,
  ]
  assert.equal(found.length, expected.length, found.join('\n'))
  for (const [index, rule] of expected.entries()) assert.match(found[index] ?? '', rule)
})

test('a set of the table may become a part where its old set is in the table, too', async () => {
  const { problems } = await read('Набор;Часть;Шт', '70;46;1', '71;47;1')
  assert.deepEqual(problems, [])
})

test('a file without the headings, or without parts, is refused with what it needs', async () => {
  const heads = 'Набор;Часть;Шт'
  await assert.rejects(read('Штрихкод;Количество', '46;1'), /нет строки с заголовками/)
  await assert.rejects(read(heads, ';;'), /нет ни одной части/)
  await assert.rejects(read(`${heads};Количество`, '10;46;1;1'), /означают одно и то же/)
})
