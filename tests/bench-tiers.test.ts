import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TierFigures, wallOf } from '../bench/tiers/wall.ts'

const idle: TierFigures = {
  late: 0,
  cabinets: 2_000,
  processorShare: 0.4,
  busiestWorkerShare: 0.3,
  busiestApiShare: 0.1,
  connectionShare: 0.2,
  waiting: 0,
  readsP99Ms: 90,
}
const wall = (figures: Partial<TierFigures>) => wallOf({ ...idle, ...figures })

test('a tier that keeps up names its fullest part', () => {
  assert.equal(wall({}), "No wall was reached. The fullest: the machine's processors, 40 %.")
  assert.equal(
    wall({ connectionShare: 0.6, late: 20 }),
    'No wall was reached. The fullest: connections, 60 %.',
  )
})

test('a tier that does not keep up names what was full', () => {
  const late = { late: 300 }
  assert.match(
    wall({ ...late, processorShare: 0.95 }),
    /^The wall was the machine's processors: 300 of 2000/,
  )
  assert.match(wall({ ...late, waiting: 4 }), /^The wall was connections/)
  assert.match(
    wall({ ...late, busiestWorkerShare: 0.97 }),
    /^The wall was the processor of a worker/,
  )
  assert.match(wall(late), /^The wall was the turns of sync runs/)
  assert.match(
    wall({ readsP99Ms: 2_500, busiestApiShare: 0.99 }),
    /API process: reads take 2500 ms/,
  )
})
