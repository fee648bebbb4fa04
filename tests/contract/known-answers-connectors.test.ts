// Answers as WB and OZON really give them, played to the real connectors. Each has one outcome, and no damaged answer
// makes a connector fail with anything but an error that says what is wrong.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type KnownCase, knownCalls } from '../support/marketplaces/known-answers/format.ts'
import { mutationsOf } from '../support/marketplaces/known-answers/mutations.ts'
import { openPlayer, type Player } from '../support/marketplaces/known-answers/play.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Known calls that no connector makes yet. */
const notCalled: Readonly<Record<'wb' | 'ozon', readonly string[]>> = { wb: [], ozon: [] }

for (const marketplace of ['wb', 'ozon'] as const) {
  suite(`known answers of ${marketplace}`, () => {
    const calls = knownCalls(marketplace)
    const outcomes = readOutcomes(marketplace)
    let player: Player
    before(async () => {
      player = await openPlayer(marketplace)
    })
    after(() => player.close())

    for (const { call, cases } of calls) {
      if (notCalled[marketplace].some((known) => known === call)) continue
      for (const one of cases) {
        test(`${call}: ${one.name}`, async () => {
          assert.deepEqual(await player.play(call, one), outcomes[call]?.[one.name])
          assert.deepEqual(player.unanswered(), [])
        })
      }
    }

    // Guarantee (marketplaces): A damaged answer of a marketplace never causes an unknown error.
    test('a damaged answer never makes a connector fail with an error of another kind', async () => {
      for (const { call, cases } of calls) {
        if (player.questions[call] === undefined) continue
        const played = new Set<string>()
        for (const one of cases) await playDamaged(player, call, one, played)
      }
    })

    test('every outcome belongs to a known answer', () => {
      const known = new Set(
        calls.flatMap((one) => one.cases.map(({ name }) => `${one.call}: ${name}`)),
      )
      for (const [call, byName] of Object.entries(outcomes)) {
        for (const name of Object.keys(byName)) assert.ok(known.has(`${call}: ${name}`), name)
      }
    })

    test('the calls that no connector makes are those of the list', () => {
      const source = globSync(`${root}src/exchange/marketplaces/{wildberries,ozon}/**/*.ts`)
        .map((file) => readFileSync(file, 'utf8').replaceAll(/\$\{[^}]+\}/g, '{id}'))
        .join('\n')
      for (const call of notCalled[marketplace]) {
        const path = call.slice(call.indexOf(' ') + 1)
        const isCalled = new RegExp(`${path.replaceAll(/[{}]/g, '\\$&')}['\`]`).test(source)
        assert.ok(!isCalled, `${call} is called by now: ask for it in questions-…`)
        assert.ok(
          calls.some((one) => one.call === call),
          `${call} is not known`,
        )
      }
    })
  })
}

/**
 * The connector survives each damage, and ignores unknown fields. A field that has the same value in several answers to
 * a call is damaged in the first of them.
 */
async function playDamaged(
  player: Player,
  call: string,
  one: KnownCase,
  played: Set<string>,
): Promise<void> {
  const { answer } = one
  const whole = await player.play(call, one)
  for (const { name, value, body, harmless } of mutationsOf(answer.body)) {
    const damage = JSON.stringify([answer.status, name, value])
    if (played.has(damage)) continue
    played.add(damage)
    const outcome = await player.play(call, one, { ...answer, body }).catch((error: unknown) => {
      throw new Error(`${call}, ${one.name}: ${name}`, { cause: error })
    })
    if (harmless) assert.deepEqual(outcome, whole, name)
  }
}

function readOutcomes(marketplace: string): Record<string, Record<string, unknown>> {
  return JSON.parse(
    readFileSync(`${root}tests/contract/known-answers/outcomes/${marketplace}.json`, 'utf8'),
  ) as Record<string, Record<string, unknown>>
}
