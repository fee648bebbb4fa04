import type { Database } from '../../platform/db/connection.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { day, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import {
  attemptsMax,
  type PrintStatus,
  printLeaseSeconds,
  printStatusLabels,
  printVerbTo,
} from './state.ts'
import { lockAskingStation, refuseWithoutStation, stationForJob } from './stations.ts'
import { formatOfKind, type PrintKind } from './view.ts'

/**
 * Print jobs: what waits for a print station (`state.ts`). The only writer of print_jobs.
 *
 * - A job names what is printed and holds none of it: its content is read when it is printed.
 * - A page of a station holds at most one job, for the time of a lease. A page that asks again gets the job that it
 *   holds, so a lost answer costs nothing. A job whose page is gone is taken by the next one that asks.
 * - A request that brings an id of its own (`printId`) makes one job, however often it comes.
 */

/** Held polls of print stations listen here for codes of warehouses with new jobs. It only wakes them. */
export const printJobsChannel = 'sklad_print_jobs'

export interface PrintDraft {
  readonly warehouse: string
  readonly kind: PrintKind
  readonly objectId: string
  readonly title: string
  readonly copies: number
  /** Undefined: any station of the warehouse. */
  readonly stationId: string | undefined
  readonly printId: string | undefined
}

/** Jobs that may wait in a warehouse. */
const waitingMax = 2_000

/** Queues a job, or finds the one of the same `printId`. Throws validation_error, conflict. */
export async function addPrintJob(
  work: Work,
  draft: PrintDraft,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { tx, at, actor } = work
  const { warehouse, kind, objectId, copies, stationId = null, printId = null } = draft
  const by = actorText(actor)
  const known = await findByPrintId(work, by, draft)
  if (known !== undefined) return { id: known, isNew: false }
  const format = formatOfKind[kind]
  const place = { warehouse, format }
  if (stationId === null) await refuseWithoutStation(tx, place)
  else await stationForJob(tx, stationId, place)
  await refuseFullQueue(work, warehouse)
  const id = newId()
  const added = await tx`
    insert into print_jobs (id, warehouse_code, station_id, format, kind, object_id, title, copies,
      status, print_id, created_at, created_by)
    values (${id}, ${warehouse}, ${stationId}, ${format}, ${kind}, ${objectId}, ${draft.title},
      ${copies}, 'QUEUED', ${printId}, ${at}, ${by})
    on conflict (created_by, print_id) do nothing returning id`
  if (added.length === 0) {
    const same = await findByPrintId(work, by, draft)
    if (same === undefined) throw new Error(`print job ${printId} vanished`)
    return { id: same, isNew: false }
  }
  await wakeStations(work, warehouse)
  return { id, isNew: true }
}

async function findByPrintId(
  { tx }: SharedWork,
  by: string,
  { kind, objectId, printId }: PrintDraft,
): Promise<string | undefined> {
  if (printId === undefined) return undefined
  const [job] = await tx<{ id: string; kind: string; object_id: string }[]>`
    select id, kind, object_id from print_jobs
    where created_by = ${by} and print_id = ${printId}`
  if (job === undefined) return undefined
  if (job.kind === kind && job.object_id === objectId) return job.id
  throw invalidField('print_id', 'с этим номером вы уже печатали другое: возьмите новый')
}

async function refuseFullQueue({ tx }: SharedWork, warehouse: string): Promise<void> {
  const [queue] = await tx<{ waiting: number }[]>`
    select count(*)::int as waiting from (
      select from print_jobs
      where warehouse_code = ${warehouse} and status in ('QUEUED', 'PRINTING') limit ${waitingMax}
    ) w`
  if ((queue?.waiting ?? 0) < waitingMax) return
  throw conflict(
    `На складе ${warehouse} ждёт печати ${waitingMax} заданий: проверьте, открыта ли страница станции`,
  )
}

/** Wakes the pages of stations that wait for a job (`takePrintJob`). */
async function wakeStations({ tx }: SharedWork, warehouse: string): Promise<void> {
  await tx`select pg_notify(${printJobsChannel}, ${warehouse})`
}

export interface TakenJob {
  readonly id: string
  /** False for a job that the page held already. */
  readonly isNew: boolean
}

/**
 * Gives the oldest job to a page (`tab`) of a station; undefined where none waits. Throws not_found, and conflict for a
 * closed station.
 */
export async function takePrintJob(
  work: Work,
  stationId: string,
  tab: string,
): Promise<TakenJob | undefined> {
  const { tx, at } = work
  const station = await lockAskingStation(work, stationId)
  const [held] = await tx<{ id: string }[]>`
    update print_jobs set leased_until = ${leaseEnd(work)}
    where warehouse_code = ${station.warehouse_code} and status = 'PRINTING'
      and taken_station_id = ${stationId} and tab = ${tab} and leased_until > ${at}
    returning id`
  if (held !== undefined) return { id: held.id, isNew: false }
  await failAbandoned(work, station.warehouse_code)
  const [taken] = await tx<{ id: string }[]>`
    update print_jobs set status = 'PRINTING', tab = ${tab}, taken_station_id = ${stationId},
      leased_until = ${leaseEnd(work)}, attempts = attempts + 1
    where id = (
      select id from print_jobs
      where warehouse_code = ${station.warehouse_code} and status in ('QUEUED', 'PRINTING')
        and (status = 'QUEUED' or leased_until <= ${at})
        and (station_id = ${stationId} or station_id is null)
        and format = any(${[...station.formats]})
      order by created_at, id limit 1 for no key update skip locked)
    returning id`
  return taken && { id: taken.id, isNew: true }
}

/** Ends jobs that pages took too often without an outcome. */
async function failAbandoned({ tx, at }: SharedWork, warehouse: string): Promise<void> {
  const reason = `Станция бралась печатать ${attemptsMax} раза и не закончила`
  await tx`
    update print_jobs set status = 'FAILED', tab = null, leased_until = null, ended_at = ${at},
      reason = ${reason}
    where id in (
      select id from print_jobs
      where warehouse_code = ${warehouse} and status = 'PRINTING' and leased_until <= ${at}
        and attempts >= ${attemptsMax}
      for no key update skip locked)`
}

export interface PrintOutcome {
  readonly status: PrintStatus
  /** The page that holds the job; undefined for a person. */
  readonly tab: string | undefined
  readonly reason: string | undefined
}

interface LockedJob {
  readonly status: PrintStatus
  readonly warehouse_code: string
  readonly tab: string | null
  /** Whether the page that took it may still print it. */
  readonly leased: boolean
}

/**
 * Sets the outcome of a job, keeps its lease, or queues it again. Returns false for a repeat that changes nothing.
 * Throws not_found, validation_error, and conflict where the status does not allow it or another page prints it.
 */
export async function settlePrintJob(
  work: Work,
  id: string,
  { status: wanted, tab, reason }: PrintOutcome,
): Promise<boolean> {
  const { tx, at } = work
  const [job] = await tx<LockedJob[]>`
    select status, warehouse_code, tab, coalesce(leased_until > ${at}, false) as leased
    from print_jobs where id = ${id} for no key update`
  if (job === undefined) throw unknownJob()
  if (wanted === 'FAILED' && reason === undefined) {
    throw invalidField('reason', 'для FAILED напишите, почему не напечатано')
  }
  const holds = job.status === 'PRINTING' && tab === job.tab
  if (job.status === wanted && wanted !== 'PRINTING') return false
  refuseOthersJob(job, wanted, tab, holds)
  const verb = printVerbTo(job.status, wanted)
  if (verb === undefined) {
    throw conflict(`Нельзя: задание сейчас ${printStatusLabels[job.status]}`)
  }
  const isEnd = wanted === 'PRINTED' || wanted === 'FAILED'
  const lease = verb === 'keep' ? leaseEnd(work) : null
  await tx`
    update print_jobs set status = ${wanted}, reason = ${wanted === 'FAILED' ? (reason ?? null) : null},
      ended_at = ${isEnd ? at : null}, leased_until = ${lease},
      tab = ${verb === 'keep' ? job.tab : null},
      attempts = ${verb === 'again' ? 0 : tx`attempts`}
    where id = ${id}`
  if (wanted === 'QUEUED') await wakeStations(work, job.warehouse_code)
  return verb !== 'keep'
}

/** A page speaks for the job that it holds only, and a person for one that no page holds. */
function refuseOthersJob(
  { status, leased }: LockedJob,
  wanted: PrintStatus,
  tab: string | undefined,
  holds: boolean,
): void {
  if (holds) return
  if (wanted === 'PRINTING') {
    throw conflict('Эта страница задание не печатает: возьмите его у станции заново')
  }
  if (status === 'PRINTING' && (leased || tab !== undefined)) {
    throw conflict('Задание печатает другая страница станции')
  }
  if (status !== 'PRINTING' && tab !== undefined && wanted !== 'QUEUED') {
    throw conflict(`Эта страница задание не печатает: оно сейчас ${printStatusLabels[status]}`)
  }
}

function leaseEnd({ now }: SharedWork): string {
  return toTimestamp(now + printLeaseSeconds * 1000)
}

export function unknownJob(): Error {
  return notFound('Задание печати не найдено')
}

/** Print jobs are kept this long, printed or not; a job that waited so long is no longer wanted. */
export const printJobDays = 14
const deletedAtOnce = 1_000

/** Deletes old jobs, a bounded number at once. */
export async function deleteOldPrintJobs(db: Database, now: Instant): Promise<void> {
  await db`
    delete from print_jobs where id in (
      select id from print_jobs where created_at < ${toTimestamp(now - printJobDays * day)}
        and (status <> 'PRINTING' or leased_until <= ${toTimestamp(now)})
      order by created_at, id limit ${deletedAtOnce} for update skip locked)`
}
