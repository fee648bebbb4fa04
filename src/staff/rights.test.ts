import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalOfPin, refusalOfWarehouses } from './rights.ts'
import { type Role, roles } from './roles.ts'

const person = (role: Role, ...warehouses: string[]) => ({ role, warehouses })

test('a PIN is given to a role that is not above, and within the own warehouses', () => {
  for (const [at, setter] of roles.entries()) {
    for (const [above, user] of roles.entries()) {
      const refusal = refusalOfPin(person(setter), person(user))
      assert.equal(refusal === undefined, above <= at, `${setter} to ${user}`)
    }
  }
  const manager = person('manager', 'MSK1', 'MSK2')
  assert.equal(refusalOfPin(manager, person('worker', 'MSK1')), undefined)
  for (const user of [person('worker'), person('worker', 'MSK1', 'SPB1')]) {
    assert.match(refusalOfPin(manager, user) ?? '', /и на других складах/)
  }
})

test('who works in some warehouses gives and takes no others', () => {
  assert.equal(refusalOfWarehouses([], ['MSK1'], []), undefined)
  assert.equal(refusalOfWarehouses(['MSK1'], ['MSK1']), undefined)
  for (const [before, wanted] of [
    [[], ['MSK1']],
    [['MSK1'], []],
    [['MSK1'], ['MSK1', 'SPB1']],
  ] as const) {
    assert.match(refusalOfWarehouses(['MSK1'], before, wanted) ?? '', /складах MSK1: других/)
  }
})
