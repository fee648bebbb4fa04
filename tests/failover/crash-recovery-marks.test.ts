import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { barcode, openCrashScene } from '../support/crash-scene.ts'
import { eventually, hold } from '../support/faults.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { good } from '../support/shipping.ts'
import type { StaffClient } from '../support/staff.ts'

type Staff = Pick<StaffClient, 'post'>

/** Processes that are killed at each step of proving the marks of a posting of two units at OZON. */
const fakes = await startFakes()
const { ozon } = fakes
const [first, last, another] = ['490154203237518', '356938035643809', '352099001761481'] as const

/** After the first pick, after the last one, and when OZON is asked for its verdict. */
type Stage = 'first' | 'last' | 'verdict'
type Moment =
  /** The call never arrives, or it is carried out and its answer is lost. */
  | { readonly stage: Stage; readonly at: 'before' | 'during'; readonly call: string }
  /** The condition on the row of `mark_proofs` that is not committed. */
  | { readonly stage: Stage; readonly at: 'commit'; readonly when: string }

async function openPosting(t: TestContext) {
  const scene = await openCrashScene(t, fakes, ozon)
  const { db, worker, client, cabinet, account, line } = scene
  const number = ozon.addOrder(account, { lines: [{ ...line, quantity: 2 }] })
  ozon.require(account, number, 'imei')
  await eventually('the order is taken in', async () => (await scene.count()) === 1)
  const [order] = await db<{ id: string }[]>`select id from orders where client_id = ${client}`
  const creation = { cabinet_id: cabinet, external_id: 'заявка 1', order_ids: [order?.id] }
  const opened = good<StaffShipment>(await worker.post('/shipments', creation), 201)
  const proofs = () =>
    db<{ state: string; due: boolean }[]>`
      select state, due_at is not null as due from mark_proofs order by scan_id`
  const reached = async () => (await proofs()).map(({ state }) => state).join()
  /** OZON is asked now. */
  const ask = () => db`update mark_proofs set due_at = now() where state = 'sent'`
  return {
    ...scene,
    number,
    opened,
    async take(staff: Staff, scan: string, imei: string) {
      const pick = { scan_id: scan, order_id: order?.id, barcode, marks: { imei } }
      good(await staff.post(`/picking-tasks/${opened.picking_task_id}/picks`, pick))
    },
    become: (...states: string[]) =>
      eventually(states.join(), async () => (await reached()) === states.join()),
    /** Nothing is sent or asked about before something changes here. */
    rest: () => eventually('nothing is due', async () => !(await proofs()).some(({ due }) => due)),
    ask,
    /** OZON is asked until it says so. */
    prove: (...states: string[]) =>
      eventually(states.join(), async () => {
        await ask()
        return (await reached()) === states.join()
      }),
    sets: () =>
      ozon
        .calls()
        .filter(({ path, account: who }) => path.endsWith('exemplar/set') && who === account.id)
        .length,
    atOzon: () =>
      ozon
        .exemplarsOf(account, number)
        .flatMap(({ marks }) => marks.map(({ mark }) => mark))
        .sort(),
  }
}

type Posting = Awaited<ReturnType<typeof openPosting>>

/** Kills the first process where it comes to the moment. */
async function killAt(scene: Posting, moment: Moment, go: () => Promise<unknown>) {
  const { db, first: service } = scene
  if (moment.at === 'commit') {
    const held = await hold(db, { table: 'mark_proofs', on: 'update', when: moment.when })
    await go()
    return scene.killHeld(held)
  }
  const held = moment.at === 'during' ? ozon.holdNext(moment.call) : undefined
  const called = ozon.called(moment.call)
  if (held === undefined) ozon.failNext(1, 'hang', moment.call)
  await go()
  await (held?.reached ?? called)
  await service.end('SIGKILL')
  held?.release()
  ozon.heal()
}

/** Plays the stages, the one of the moment with the first process and later ones with the second. */
async function playTo(posting: Posting, moment: Moment): Promise<Staff> {
  let staff: Staff = posting.worker
  const stages: readonly (readonly [Stage, () => Promise<unknown>, () => Promise<unknown>])[] = [
    ['first', () => posting.take(staff, 'a', first), posting.rest],
    ['last', () => posting.take(staff, 'b', last), () => posting.become('sent', 'sent')],
    ['verdict', posting.ask, async () => {}],
  ]
  for (const [stage, go, isOver] of stages) {
    if (stage === moment.stage) {
      await killAt(posting, moment, go)
      staff = await posting.second()
    } else await go()
    await isOver()
  }
  return staff
}

const moments: readonly Moment[] = [
  { stage: 'first', at: 'before', call: 'exemplar/create-or-get' },
  { stage: 'first', at: 'during', call: 'exemplar/validate' },
  { stage: 'first', at: 'commit', when: 'new.attempted_at is not null' },
  { stage: 'first', at: 'commit', when: "new.state = 'unsent' and new.due_at is null" },
  { stage: 'last', at: 'before', call: 'exemplar/set' },
  { stage: 'last', at: 'during', call: 'exemplar/set' },
  { stage: 'last', at: 'commit', when: "new.state = 'sent' and new.scan_id = 'a'" },
  { stage: 'last', at: 'commit', when: "new.state = 'sent' and new.scan_id = 'b'" },
  { stage: 'verdict', at: 'during', call: 'exemplar/status' },
  { stage: 'verdict', at: 'commit', when: "new.state = 'proven' and new.scan_id = 'b'" },
]

const described = (moment: Moment) =>
  moment.at === 'commit' ? `before the commit of ${moment.when}` : `${moment.at} ${moment.call}`

for (const moment of moments) {
  // Guarantee (marketplaces): Marks that are sent while a posting is picked are at OZON once, whenever the process is killed.
  test(`OZON: marks that are sent at their picks are there once when the process is killed ${described(moment)}`, async (t) => {
    const posting = await openPosting(t)
    const { account, number } = posting
    // OZON still checks what it was given.
    if (moment.stage === 'last') ozon.injectFaults(account, number, { checkPolls: 1 })
    const staff = await playTo(posting, moment)
    await posting.prove('proven', 'proven')
    assert.deepEqual(posting.atOzon(), [first, last].sort())
    const isLost = moment.at === 'before' && moment.call === 'exemplar/set'
    assert.equal(posting.sets(), isLost ? 2 : 1)
    good(await staff.post(`/shipments/${posting.opened.id}/close`))
    assert.equal(posting.sets(), isLost ? 2 : 1, 'nothing is sent again')
    assert.deepEqual(await posting.stock(barcode), [3, 0])
    assert.deepEqual((await audit(posting.db)).findings, [])
  })
}

for (const moment of [
  { stage: 'verdict', at: 'during', call: 'exemplar/status' },
  { stage: 'verdict', at: 'commit', when: "new.state = 'refused'" },
  { stage: 'verdict', at: 'commit', when: "new.state = 'unsent' and new.scan_id = 'b'" },
] as const satisfies readonly Moment[]) {
  // Guarantee (marketplaces): A unit whose mark OZON refuses leaves its order once, whenever the process is killed.
  test(`OZON: a unit whose mark is refused leaves its order once when the process is killed ${described(moment)}`, async (t) => {
    const posting = await openPosting(t)
    const { db, account, number, client } = posting
    ozon.injectFaults(account, number, { unknownCodes: [first] })
    const staff = await playTo(posting, moment)
    await posting.become('refused', 'unsent')
    const [{ picked = 0 } = {}] = await db<{ picked: number }[]>`
      select picked from order_lines where client_id = ${client}`
    assert.equal(picked, 1)
    assert.equal((await db`select from scan_exceptions`).length, 1)
    assert.deepEqual((await audit(db)).findings, [])
    await posting.take(staff, 'c', another)
    await posting.become('refused', 'sent', 'sent')
    await posting.prove('refused', 'proven', 'proven')
    assert.deepEqual(posting.atOzon(), [last, another].sort())
    assert.equal(posting.sets(), 2)
    good(await staff.post(`/shipments/${posting.opened.id}/close`))
    assert.equal(posting.sets(), 2, 'nothing is sent again')
    assert.deepEqual(await posting.stock(barcode), [3, 0])
    assert.deepEqual((await audit(db)).findings, [])
  })
}
