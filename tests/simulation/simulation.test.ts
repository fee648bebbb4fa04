import { type TestContext, test } from 'node:test'
import { testDatabase } from '../support/database.ts'
import { playDays } from './day.ts'

/**
 * `npm run failover` plays a little, the same each time. `npm run simulate` plays as much as its settings say: SEED (any
 * text), STEPS, WORKERS (1: one after the other), and MINUTES, for which one new seed follows another.
 */
const { SEED, STEPS, WORKERS, MINUTES } = process.env

async function play(t: TestContext, seed: string, steps: number, workers: number): Promise<void> {
  const { db, drop } = await testDatabase({ max: 20 })
  try {
    t.diagnostic(await playDays(db, { seed, steps, workers }))
  } finally {
    await drop()
  }
}

const today = SEED ?? (MINUTES === undefined ? 'every day' : `${Date.now()}`)

if (MINUTES === undefined) {
  if (WORKERS === undefined || WORKERS === '1') {
    test(`one after the other, seed ${today}`, (t) => play(t, today, Number(STEPS ?? 300), 1))
  }
  if (WORKERS !== '1') {
    const workers = Number(WORKERS ?? 6)
    test(`${workers} at once, seed ${today}`, (t) => play(t, today, Number(STEPS ?? 300), workers))
  }
} else {
  test(`seed after seed for ${MINUTES} minutes`, async (t) => {
    const end = Date.now() + Number(MINUTES) * 60_000
    for (let n = 0; Date.now() < end; n++) {
      const seed = `${today}-${n}`
      const workers = Number(WORKERS ?? [1, 6, 2, 12][n % 4])
      await t.test(`seed ${seed}, ${workers} at once`, (each) =>
        play(each, seed, Number(STEPS ?? 2_000), workers),
      )
    }
  })
}
