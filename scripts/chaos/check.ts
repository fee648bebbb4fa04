import { setTimeout as sleep } from 'node:timers/promises'
import { checkGoods } from './goods.ts'
import { type Caller, everything, type Json } from './insist.ts'
import type { Acknowledged } from './load.ts'
import type { Scene } from './scene.ts'

/** Compares the service with what it acknowledged. Returns what is lost, doubled or made up. */
export async function check(
  scene: Scene,
  acknowledged: Acknowledged,
  received: ReadonlySet<string>,
): Promise<string[]> {
  return [
    ...(await checkFigures(scene, acknowledged)),
    ...(await checkGoods(scene, acknowledged)),
    ...(await checkPhotos(scene, acknowledged)),
    ...(await checkReceipts(scene, acknowledged)),
    ...(await checkOrders(scene, acknowledged)),
    ...(await checkEvents(scene, acknowledged, received)),
  ]
}

async function checkFigures({ staff, receipt }: Scene, { counts, shifts }: Acknowledged) {
  const counted = await staff.insist('GET', `/receipts/${receipt}`)
  const lines = counted.items as { barcode: string; accepted_qty: number }[]
  const shown = [
    ['counted', counts, lines.find(({ barcode }) => barcode === 'B')?.accepted_qty ?? 0],
  ]
  for (const { shift, picks, returns } of shifts) {
    const { name, task, returns: batch } = shift
    const picked = await staff.insist('GET', `/picking-tasks/${task}`)
    const back = await staff.insist('GET', `/returns/${batch}`)
    const whole = (picked.lines as Json[]).filter((line) => line.picked === line.qty)
    shown.push(
      [`${name} picked`, picks, whole.length],
      [`${name} returned`, returns, Number(back.came_qty)],
    )
  }
  return shown
    .filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => `${what}: ${expected} acknowledged, ${found} found`)
}

async function checkPhotos({ staff }: Scene, { shifts }: Acknowledged) {
  const problems: string[] = []
  for (const { shift, photos } of shifts) {
    const { items } = await staff.insist('GET', `/returns/${shift.returns}/photos`)
    const found = (items as Json[]).map(({ id }) => String(id))
    problems.push(...differences(`photos of ${shift.name}`, photos, found))
  }
  return problems
}

async function checkReceipts({ seller, receipt }: Scene, { receipts }: Acknowledged) {
  const found = await everything(seller, '/receipts?')
  const ours = found.filter(({ id }) => id !== receipt)
  const problems = differences(
    'receipts',
    [...receipts.keys()],
    ours.map(({ external_ref }) => String(external_ref)),
  )
  const other = ours.filter(({ external_ref, id }) => receipts.get(String(external_ref)) !== id)
  return [...problems, ...other.map(({ external_ref }) => `${external_ref}: another id`)]
}

/** After a clock has been set back, an account waits for a full bucket of calls and a minute (exchange/marketplaces/calls/account-buckets.ts). */
const syncedWithinMs = 300_000

/** The last sync run may have been killed: the next one takes in what it missed. */
async function checkOrders({ staff, client }: Scene, { orders }: Acknowledged) {
  const end = performance.now() + syncedWithinMs
  for (;;) {
    const found = Map.groupBy(
      await everything(staff, `/orders?client_id=${client}&`),
      ({ cabinet_id }) => cabinet_id,
    )
    const problems = [...orders].flatMap(([cabinet, numbers]) => {
      const known = found.get(cabinet) ?? []
      return differences(
        `orders of ${cabinet}`,
        numbers,
        known.map(({ external_id }) => String(external_id)),
      )
    })
    if (problems.length === 0) return []
    if (performance.now() > end) return problems
    await sleep(500)
  }
}

const deliveredWithinMs = 90_000

/** The feed has one event of each receipt, what was read before is its beginning, and the receiver has all of it too. */
async function checkEvents(
  { seller, receipt, webhook }: Scene,
  { events, receipts }: Acknowledged,
  received: ReadonlySet<string>,
) {
  const feed: Json[] = []
  for (let after = ''; ; ) {
    const page = await seller.insist('GET', `/events?limit=100${after && `&after=${after}`}`)
    feed.push(...(page.items as Json[]))
    if (page.has_more !== true) break
    after = `${page.next_after}`
  }
  const ids = feed.map(({ id }) => String(id))
  const moved = events.some((id, index) => ids[index] !== id)
  const created = feed.filter(({ type }) => type === 'receipt.created')
  const problems = differences(
    'events of receipts',
    [receipt, ...receipts.values()],
    created.map(({ data }) => String((data as Json).id)),
  )
  const end = performance.now() + deliveredWithinMs
  const missing = () => feed.filter(({ id }) => !received.has(String(id)))
  while (missing().length > 0 && performance.now() < end) await sleep(200)
  return [
    ...problems,
    ...(moved ? ['the feed changed what it had already shown'] : []),
    ...(missing().length > 0 ? await undelivered(seller, webhook, missing()) : []),
  ]
}

/** What did not reach the receiver, and what the service says of the newest ones. */
async function undelivered(seller: Caller, webhook: string, missing: readonly Json[]) {
  const subscription = await seller.insist('GET', `/webhooks/${webhook}`)
  const log = await seller.insist('GET', `/webhooks/${webhook}/deliveries?limit=100`)
  const known = new Map((log.items as Json[]).map((delivery) => [delivery.event_id, delivery]))
  const first = missing.find(({ id }) => known.has(id))
  return [
    `${missing.length} events did not reach the receiver, such as ${missing[0]?.id}`,
    `subscription ${JSON.stringify(subscription)}`,
    `delivery ${JSON.stringify(known.get(first?.id))}`,
  ]
}

function differences(what: string, expected: readonly string[], found: readonly string[]) {
  const known = new Set(found)
  const wanted = new Set(expected)
  const lost = expected.filter((each) => !known.has(each))
  const strange = found.filter((each) => !wanted.has(each))
  const doubled = found.length - known.size
  return [
    ...(lost.length > 0 ? [`${what}: ${lost.length} lost, such as ${lost[0]}`] : []),
    ...(strange.length > 0 ? [`${what}: ${strange.length} nobody asked for: ${strange[0]}`] : []),
    ...(doubled > 0 ? [`${what}: ${doubled} twice`] : []),
  ]
}
