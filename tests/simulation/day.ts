import assert from 'node:assert/strict'
import { audit } from '../../src/operations/audit/audit.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { type Random, seededRandom } from '../../src/platform/kernel/random.ts'
import { adopt } from './adopt.ts'
import { compareCharges } from './charging.ts'
import { compare } from './compare.ts'
import { assemble, beginWithSet, compareSets, compose } from './composing.ts'
import { scan, undo } from './counting.ts'
import { keepDates, redate } from './dating.ts'
import { compareDescriptions, describe } from './describing.ts'
import { compareEvents, followEvents } from './events.ts'
import { compareFigures } from './figures.ts'
import { putAway } from './locating.ts'
import { merge } from './merging.ts'
import { mirror } from './mirroring.ts'
import { decideMiss, settleMisses } from './missing.ts'
import type { Client } from './model.ts'
import { nameAlso } from './naming.ts'
import { photograph } from './photographing.ts'
import { check, claim, miss, pick, undoPick } from './picking.ts'
import { prove } from './proving.ts'
import { advance, approve, cancel, finish, openWalkIn, register, request } from './receiving.ts'
import { bringBack } from './reshipping.ts'
import { finishReturns, takeBack, undoReturn } from './returning.ts'
import { reportStatus, takeIn } from './selling.ts'
import { accept, close, fill, open, remove } from './shipping.ts'
import { printLabels, takeStock } from './stocktaking.ts'
import { enterByHand, handle, makeStorage, placeBox, rush } from './storing.ts'
import { type Actor, openWorld, type World } from './world.ts'

/** Random days of a warehouse; the same seed plays the same days. */

type Action = (actor: Actor, client: Client) => Promise<void>

/** The actions and their weights. */
const actions: readonly (readonly [action: Action, weight: number])[] = [
  [request, 4],
  [register, 4],
  [advance, 8],
  [scan, 30],
  [undo, 4],
  [finish, 3],
  [openWalkIn, 1],
  [approve, 2],
  [cancel, 1],
  [makeStorage, 2],
  [placeBox, 1],
  [handle, 8],
  [putAway, 6],
  [takeStock, 2],
  [printLabels, 1],
  [enterByHand, 6],
  [nameAlso, 2],
  [merge, 3],
  [describe, 2],
  [keepDates, 2],
  [redate, 2],
  [compose, 3],
  [assemble, 4],
  [rush, 2],
  [takeIn, 9],
  [reportStatus, 9],
  [open, 2],
  [fill, 10],
  [remove, 3],
  [pick, 25],
  [miss, 5],
  [decideMiss, 4],
  [undoPick, 3],
  [prove, 15],
  [check, 5],
  [claim, 2],
  [close, 4],
  [accept, 1],
  [mirror, 3],
  [bringBack, 3],
  [takeBack, 8],
  [undoReturn, 2],
  [finishReturns, 1],
  [photograph, 3],
]
const lots = actions.flatMap(([action, weight]) => Array.from({ length: weight }, () => action))

const minute = 60_000

export interface Plan {
  readonly seed: string
  readonly steps: number
  /** How many act at once; with 1 the model knows every answer beforehand. */
  readonly workers: number
}

/** Plays the days and returns how often each answer came. A failure is thrown with its seed. */
export async function playDays(db: Database, plan: Plan): Promise<string> {
  const world = await openWorld(db, plan.seed)
  try {
    for (const client of world.clients) await beginWithSet(world, client)
    await (plan.workers === 1 ? playAlone(world, plan) : playTogether(world, plan))
    await world.close()
    return [...world.tally]
      .sort()
      .map((each) => each.join(': '))
      .join(', ')
  } catch (error) {
    const { seed, steps, workers } = plan
    const again = `SEED=${seed} STEPS=${steps} WORKERS=${workers} npm run simulate`
    const logged = await world.close().then(() => '', String)
    throw new Error(`${again}\n${world.trace.join('\n')}\n${logged}`, { cause: error })
  }
}

function actorOf(world: World, seed: string, name: string): Actor {
  let names = 0
  return {
    world,
    random: seededRandom(`${seed} ${name}`),
    newName: (kind) => `${kind}-${name}-${++names}`,
  }
}

/** The objects that all concurrent actions touch, so that they contend. */
interface Theme {
  readonly client: Client
  readonly actions: readonly Action[]
}

function themeOf(world: World, random: Random): Theme {
  return { client: random.pick(world.clients), actions: [1, 2, 3].map(() => random.pick(lots)) }
}

async function step(actor: Actor, theme?: Theme): Promise<void> {
  const { random, world } = actor
  const onTheme = theme !== undefined && random.next() < 0.7
  const action = random.pick(onTheme ? theme.actions : lots)
  await action(actor, onTheme ? theme.client : random.pick(world.clients))
}

/** Advances the clock a little, now and then to the next day. */
function pass({ clock }: World, random: Random): void {
  clock.advance(random.next() < 0.01 ? random.int(1, 20 * 60) * minute : random.int(1, 3 * minute))
}

const stepsBetweenLooks = 60

async function playAlone(world: World, { seed, steps }: Plan): Promise<void> {
  const actor = actorOf(world, seed, 'alone')
  for (let n = 1; n <= steps; n++) {
    pass(world, actor.random)
    await step(actor)
    for (const client of world.clients) settleMisses(client)
    if (n % stepsBetweenLooks === 0 || n === steps) await look(world, actor.random)
  }
}

async function look(world: World, random: Random): Promise<void> {
  for (const client of world.clients) {
    await compare(world, client)
    await compareDescriptions(world, client)
    await compareSets(world, client)
    await (world.alone ? compareEvents(world, client) : followEvents(world, client))
    await compareFigures(world, client, random, 3)
    await compareCharges(world, client)
  }
  assert.deepEqual((await audit(world.db, world.clock)).findings, [])
}

const stepsOfBatch = 12

/** Plays concurrent actions in batches. After each it checks all that holds in any order of them. */
async function playTogether(world: World, { seed, steps, workers }: Plan): Promise<void> {
  const random = seededRandom(`${seed} batches`)
  const actors = Array.from({ length: workers }, (_, n) => actorOf(world, seed, `worker${n}`))
  for (let done = 0; done < steps; done += workers * stepsOfBatch) {
    pass(world, random)
    world.alone = false
    const theme = random.next() < 0.7 ? themeOf(world, random) : undefined
    await Promise.all(
      actors.map(async (actor) => {
        for (let n = 0; n < stepsOfBatch; n++) await step(actor, theme)
      }),
    )
    for (const client of world.clients) await adopt(world, client)
    await look(world, random)
  }
}
