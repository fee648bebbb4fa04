import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../../platform/db/connection.ts'
import { type Instant, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import type { Period } from '../../../warehouse/metrics/period.ts'
import { readMetrics } from '../../../warehouse/metrics/queries.ts'
import { type Check, type Finding, plannedOnce } from '../check.ts'
import { type Figures, figuresOf, readFacts, readStorage } from './metric-facts.ts'

/**
 * Compares the figures of /v1/metrics (`figuresOf` names them) with figures that metric-facts.ts counts from
 * rows, over several periods.
 */

const name = 'metrics equal the figures of movements, receipts, orders and shipments'
const minute = 60_000
const day = 24 * 60 * minute

/** Periods of whole days, and periods whose bounds cut days. */
function periodsUpTo(now: Instant): Period[] {
  return [
    { from: now - 30 * day, to: now },
    { from: now - 366 * day, to: now },
    { from: now - 2 * day - 437 * minute, to: now - 73 * minute },
    { from: now - 200 * day - 11 * minute, to: now - 15 * day + 421 * minute },
  ]
}

export const metricsCheck: Check = {
  name,
  async find({ tx, clients, now, limit }) {
    const findings: Finding[] = []
    for (const client of await liveClients(tx, clients)) {
      const stored = await readStorage(tx, client)
      for (const { period, shown } of await shownIn(tx, client, periodsUpTo(now))) {
        const facts = await readFacts(tx, client, period, stored)
        const { from, to } = period
        const object = `${toTimestamp(from)} to ${toTimestamp(to)}`
        findings.push(...differences(shown, facts, { check: name, client, object }))
      }
    }
    return { findings: findings.slice(0, limit), count: findings.length }
  },
}

interface Shown {
  readonly period: Period
  readonly shown: Figures
}

function shownIn(
  tx: Queryable,
  client: string,
  periods: readonly Period[],
): Promise<readonly Shown[]> {
  return plannedOnce(tx, async () => {
    const all: Shown[] = []
    for (const period of periods) {
      all.push({ period, shown: figuresOf(await readMetrics(tx, client, period)) })
    }
    return all
  })
}

/** Live clients that have any figures. */
async function liveClients(tx: Queryable, clients: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select c.id from clients c
    where c.id = any(${clients as string[]}::uuid[]) and c.mode = 'live' and (
      exists (select from products p where p.client_id = c.id)
      or exists (select from receipts r where r.client_id = c.id)
      or exists (select from orders o where o.client_id = c.id)
      or exists (select from milestone_tallies t where t.client_id = c.id)
      or exists (select from order_tallies t where t.client_id = c.id))
    order by c.id`
  return rows.map(({ id }) => id)
}

function differences(shown: Figures, facts: Figures, where: Omit<Finding, 'what'>): Finding[] {
  const names = [...new Set([...Object.keys(shown), ...Object.keys(facts)])]
  return names
    .filter((key) => !isDeepStrictEqual(shown[key], facts[key]))
    .map((key) => ({
      ...where,
      what: `${key} is ${JSON.stringify(shown[key])}, facts say ${JSON.stringify(facts[key])}`,
    }))
}
