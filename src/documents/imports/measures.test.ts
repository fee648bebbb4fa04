import assert from 'node:assert/strict'
import test from 'node:test'
import { inlineRow, xlsxOf } from '../../../tests/support/xlsx-file.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { readMeasures } from './measures.ts'

const known = new Map([
  ['46', '46'],
  ['046', '46'],
  ['47', '47'],
])
const read = (...lines: string[]) =>
  readMeasures({ bytes: Buffer.from(lines.join('\r\n')), contentType: 'text/csv' }, async () =>
    known.get.bind(known),
  )
const sides = (...[length_mm, width_mm, height_mm, weight_g = null]: (number | null)[]) => ({
  ...{ length_mm, width_mm, height_mm, weight_g },
})

async function refusal(...lines: string[]): Promise<string> {
  const error: unknown = await read(...lines).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ServiceError, String(error))
  assert.equal(error.code, 'validation_error')
  return error.message
}

test('sides and weights are read in the units of their headings, and rows without them are skipped', async () => {
  const rows = await read(
    'Штрихкод;Название;Длина, см;Ширина, см;Высота, см;Вес, г',
    '046;Плед;12,5;10;0.1;250',
    '47;Кружка;;;;',
  )
  assert.deepEqual(rows, [{ barcode: '46', ...sides(125, 100, 1, 250) }])
  const ofMarketplace = await read(
    'Баркод товара;Ширина упаковки, мм*;Высота упаковки, мм*;Длина упаковки, мм*;Вес с упаковкой (кг)',
    '47;100;15;125;0,25',
  )
  assert.deepEqual(ofMarketplace, [{ barcode: '47', ...sides(125, 100, 15, 250) }])
  const book = xlsxOf({
    rows: inlineRow('barcode', 'length', 'width', 'height') + inlineRow('46', '3', '2', '1'),
  })
  assert.deepEqual(await readMeasures({ bytes: book }, async () => known.get.bind(known)), [
    { barcode: '46', ...sides(30, 20, 10) },
  ])
})

test('every wrong cell is named by its line and column, and nothing is read', async () => {
  const message = await refusal(
    'Штрихкод;Длина, см;Ширина, см;Высота, см;Вес, г',
    '46;12,55;10;0;1,5',
    '48;1;1;1;',
    '46;1;;широко;1',
    '046;1;1;1;1',
    '46;1;1;1;1',
  )
  for (const part of [
    /ошибок: 7/,
    /строка 2, столбец „Длина, см“ \(B\): .*миллиметра/,
    /строка 2, столбец „Высота, см“ \(D\): от 0,1/,
    /строка 2, столбец „Вес, г“ \(E\): .*грамма/,
    /строка 3, столбец „Штрихкод“ \(A\): товара 48 у клиента нет/,
    /строка 4, столбец „Ширина, см“ \(C\): не заполнен размер/,
    /строка 4, столбец „Высота, см“ \(D\): ожидается число, указано „широко“/,
    /строка 6, столбец „Штрихкод“ \(A\): этот товар уже измерен в строке 5/,
  ])
    assert.match(message, part)
})

test('a file without the headings, or without measures, is refused with what it needs', async () => {
  assert.match(
    await refusal('Штрихкод;Количество', '46;1'),
    /нет строки с заголовками Штрихкод; Длина/,
  )
  assert.match(await refusal('Штрихкод;Длина;Ширина;Высота', '46;;;'), /не заполнены размеры/)
  assert.match(
    await refusal('Штрихкод;Длина, см;Длина, мм;Ширина;Высота', '46;1;1;1;1'),
    /Строка 1: .*означают одно и то же/,
  )
})
