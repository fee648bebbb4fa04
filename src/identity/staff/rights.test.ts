import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalOfChange, refusalOfWarehouses } from './rights.ts'
import { type Role, roles } from './roles.ts'

const person = (role: Role, ...warehouses: string[]) => ({ role, warehouses })

test('a user is changed by a role that is not below, and within the own warehouses', () => {
  for (const [at, setter] of roles.entries()) {
    for (const [above, user] of roles.entries()) {
      const refusal = refusalOfChange(person(setter), person(user))
      assert.equal(refusal === undefined, above <= at, `${setter} to ${user}`)
    }
  }
  for (const role of ['manager', 'administrator'] as const) {
    const setter = person(role, 'MSK1', 'MSK2')
    assert.equal(refusalOfChange(setter, person('worker', 'MSK1')), undefined)
    for (const user of [person('worker'), person('worker', 'MSK1', 'SPB1')]) {
      assert.match(refusalOfChange(setter, user) ?? '', /и на других складах/)
    }
  }
})

test('who works in some warehouses gives no others', () => {
  assert.equal(refusalOfWarehouses([], []), undefined)
  assert.equal(refusalOfWarehouses(['MSK1'], ['MSK1']), undefined)
  for (const wanted of [[], ['MSK1', 'SPB1']]) {
    assert.match(refusalOfWarehouses(['MSK1'], wanted) ?? '', /складах MSK1: других/)
  }
})
