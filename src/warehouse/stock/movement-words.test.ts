import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movementWords } from './movement-words.ts'

test('a movement says what it did to the goods, and what took it back', () => {
  const words = (kind: Parameters<typeof movementWords>[0]['kind'], delta: number, question = 0) =>
    movementWords({ kind, delta, question_delta: question })
  assert.deepEqual(
    [words('acceptance', 3), words('acceptance', 3, 1), words('return', 2, 2)],
    ['Принято', 'Принято, под вопросом 1', 'Вернулось под вопрос'],
  )
  assert.deepEqual(
    [words('acceptance', -1), words('shipment', -4), words('shipment', 4), words('return', -1)],
    ['Приёмка поправлена', 'Отгружено', 'Отгрузка отменена', 'Возврат отменён'],
  )
  assert.deepEqual(
    [words('question', 0, 2), words('question', 0, -2), words('write_off', -1, -1)],
    ['Отложено под вопрос', 'Проверено и снова в продаже', 'Списано'],
  )
})
