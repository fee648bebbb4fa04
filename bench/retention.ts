import { dueDeliveries } from '../src/exchange/webhooks/due-deliveries.ts'
import { leaseQueuesOf, releaseLeases } from '../src/exchange/webhooks/leases.ts'
import { listDeliveries } from '../src/exchange/webhooks/queries.ts'
import { recordOutcomes } from '../src/exchange/webhooks/record-outcomes.ts'
import { standardSchedule } from '../src/exchange/webhooks/schedule.ts'
import { answeredWith } from '../src/exchange/webhooks/send.ts'
import type { Database } from '../src/platform/db/connection.ts'
import { perform } from '../src/platform/db/work.ts'
import { ManualClock } from '../src/platform/kernel/clock.ts'
import { newId } from '../src/platform/kernel/ids.ts'
import { toTimestamp } from '../src/platform/kernel/moscow-time.ts'
import { createClient } from '../src/warehouse/clients/clients.ts'
import { makeEvent, rotateEvents, writeEvents } from '../src/warehouse/events/outbox.ts'
import { keepRecording } from '../src/warehouse/events/recording.ts'
import { readArguments } from './arguments.ts'
import { median } from './measure.ts'
import { openPlace } from './place.ts'
import { databaseServerPid, processorMsWithChildren } from './processor-time.ts'
import { publish, runLine, show, table } from './report.ts'

/**
 * The log of events and deliveries over many days: each day is written, delivered and, once it is old, dropped by the
 * functions of the service, on a clock that the benchmark moves. A log that turns over for years must cost what it cost
 * when it was full for the first time.
 */

const usage = `node bench/retention.ts [options]

  --events N   events a day (20000)
  --days N     days (90); the log keeps 30
  --out DIR    directory of the results (bench/results)
  --no-out     print the results only
  --smoke      a few events; print only
`

const given = readArguments(process.argv.slice(2), usage, ['events', 'days'] as const)
const whole = true
const eventsADay = given.number('events', { usual: 20_000, smoke: 1_000, least: 1_000, whole })
const keptDays = given.smoke ? 5 : 30
const days = given.number('days', { usual: 90, smoke: 15, least: 2 * keptDays, whole })

const clientCount = 100
const eventsACommit = 10
const pagesADay = 200
const dayMs = 24 * 60 * 60 * 1000
/** Days that a figure is the median of. */
const windowOf = 5
const flatWithin = 1.3
const tables = ['events', 'pending_deliveries', 'ended_deliveries'] as const

/** What a day shows, by the name of the row. */
type Figures = Readonly<Record<string, number>>

interface Owner {
  readonly clientId: string
  readonly webhookId: string
}

interface Stage {
  readonly db: Database
  readonly clock: ManualClock
  readonly owners: readonly Owner[]
  readonly databasePid: number
}

await using place = await openPlace()
const { db } = place
const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'))
const owners = await addOwners(db, clock)
const stage = { db, clock, owners, databasePid: await databaseServerPid(db) }
const measured: Figures[] = []
for (let day = 1; day <= days; day += 1) {
  clock.advance(dayMs)
  measured.push(await liveThrough(stage))
  if (day % 10 === 0) console.error(`day ${day}: ${JSON.stringify(measured.at(-1))}`)
}
publish(given.resultsDir, 'retention', describe(measured))

/** Clients with a subscription each, whose addresses nothing is sent to. */
async function addOwners(db: Database, clock: ManualClock): Promise<Owner[]> {
  const owners: Owner[] = []
  while (owners.length < clientCount) {
    await perform(db, clock, { kind: 'service' }, async (work) => {
      const clientId = await createClient(work, { mode: 'test', name: 'Продавец' })
      const webhookId = newId()
      await work.tx`
        insert into webhook_subscriptions (client_id, id, url, events, secret, created_at)
        values (${clientId}, ${webhookId}, 'http://127.0.0.1:9/', '{order.status_changed}', '\\x00', ${work.at})`
      await keepRecording(work, clientId)
      owners.push({ clientId, webhookId })
    })
  }
  return owners
}

async function liveThrough(stage: Stage): Promise<Figures> {
  const { db, clock, owners, databasePid } = stage
  const cost = async (work: () => Promise<unknown>) => {
    const before = processorMsWithChildren(databasePid)
    await work()
    return (processorMsWithChildren(databasePid) - before) * 1_000
  }
  const costAnEvent = async (work: () => Promise<unknown>) => (await cost(work)) / eventsADay
  const [{ clientId, webhookId } = { clientId: '', webhookId: '' }] = owners
  const page = { limit: 100, after: undefined }
  const readPages = async () => {
    for (let read = 0; read < pagesADay; read += 1) {
      await listDeliveries(db, clientId, webhookId, undefined, page)
    }
  }
  return {
    write: await costAnEvent(() => writeDay(stage)),
    'lease, read and record': await costAnEvent(() => deliverAll(stage)),
    'open and drop partitions': await costAnEvent(() => rotateEvents(db, clock.now(), keptDays)),
    vacuum: await costAnEvent(() => db.unsafe(`vacuum ${tables.join(', ')}`)),
    'page of 100 deliveries, µs': (await cost(readPages)) / pagesADay,
    MB: await megabytes(db),
  }
}

/** All clients in turn. */
async function writeDay({ db, clock, owners }: Stage): Promise<void> {
  const at = toTimestamp(clock.now())
  const object = {
    id: newId(),
    status: 'PACKED',
    article: 'ABC-123/красный',
    note: 'о'.repeat(250),
  }
  for (let written = 0; written < eventsADay; written += eventsACommit) {
    const owner = owners[(written / eventsACommit) % owners.length]
    if (owner === undefined) return
    const events = Array.from({ length: eventsACommit }, () =>
      makeEvent(at, 'order.status_changed', { object, previous_status: 'ASSEMBLY' }),
    )
    await perform(db, clock, { kind: 'service' }, (work) =>
      writeEvents(work, owner.clientId, 'order.status_changed', events, [owner.webhookId]),
    )
  }
}

/** As the dispatcher does, but for the requests: every delivery succeeds. */
async function deliverAll({ db, clock, owners }: Stage): Promise<void> {
  const options = { db, clock, schedule: standardSchedule, chance: () => 0.5 }
  for (const { clientId } of owners) {
    const now = clock.now()
    const lease = { id: newId(), now, until: now + dayMs, queuesMax: 1 }
    const queues = await leaseQueuesOf(db, [clientId], lease)
    for (const queue of queues) {
      for (;;) {
        const request = { queue, sending: 0, room: 100, inProgress: [] }
        const [due] = await dueDeliveries(db, [request], now)
        if (due === undefined || due.deliveries.length === 0) break
        const outcomes = due.deliveries.map((delivery) => ({
          queue,
          outcome: { delivery, startedAt: now, attempt: answeredWith(204) },
        }))
        await recordOutcomes(options, outcomes)
      }
    }
    await releaseLeases(db, queues)
  }
}

async function megabytes(db: Database): Promise<number> {
  const [row] = await db<[{ bytes: number }]>`
    select sum(pg_total_relation_size(part.relid))::float8 as bytes
    from unnest(${[...tables]}::text[]) as name cross join lateral pg_partition_tree(name::regclass) part`
  return row.bytes / 1e6
}

function describe(all: readonly Figures[]): string {
  const windows = [
    { name: `days ${keptDays + 2} to ${keptDays + 1 + windowOf}`, from: keptDays + 1 },
    { name: `days ${days - windowOf + 1} to ${days}`, from: days - windowOf },
  ].map(({ name, from }) => ({ name, figures: all.slice(from, from + windowOf) }))
  const rows = Object.keys(all[0] ?? {}).map((name) => {
    const values = windows.map(({ figures }) =>
      median(figures.map((day) => day[name] ?? Number.NaN)),
    )
    const [first = Number.NaN, last = Number.NaN] = values
    return { name, values, ratio: last / first }
  })
  const grown = rows.filter(({ ratio }) => ratio > flatWithin).map(({ name }) => name)
  return [
    `# Turnover of events and deliveries, ${new Date().toISOString().slice(0, 10)}`,
    runLine(),
    `${days} days of ${eventsADay.toLocaleString('en')} events in ${clientCount} clients, each with one delivery and one attempt, of which ${keptDays} days are kept: medians of ${windowOf} days.
Rows without a unit: µs of the database's processor time for each event of a day; a page in the same time.`,
    table(
      ['', ...windows.map(({ name }) => name), 'last to first'],
      rows.map(({ name, values, ratio }) => [name, ...values.map(show), `${ratio.toFixed(2)} ×`]),
    ),
    grown.length === 0
      ? `All are flat within ${flatWithin} ×.`
      : `Beyond ${flatWithin} ×: ${grown.join('; ')}.`,
  ].join('\n\n')
}
