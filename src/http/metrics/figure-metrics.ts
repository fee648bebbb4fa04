import { Gauge, type Registry } from 'prom-client'
import type { PrintFigures } from '../../documents/printing/queries.ts'
import { type CabinetFigures, cabinetStates } from '../../exchange/marketplaces/sync/figures.ts'
import type { NoticeFigures } from '../../exchange/notices/figures.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { marketplaces } from '../../warehouse/clients/marketplace.ts'
import type { WaitingPhotos } from '../../warehouse/photos/stored-bytes.ts'

/**
 * Metrics that are read from the database, at most every `figuresMs`, and are the same in every process. While the
 * database does not answer they are absent rather than outdated.
 */
export type ReadFigures<T> = () => Promise<T | undefined>

const figuresMs = 15_000
/** A scrape waits no longer for the database; a later answer serves the next scrape. */
const patienceMs = 2_500

interface FigureGauge<T> {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  readonly show: (set: (labels: Record<string, string>, value: number) => void, figures: T) => void
}

/** What is neither webhooks nor the exchange. */
export interface HouseFigures extends PrintFigures {
  /** Undefined where no backup is known. */
  readonly lastBackup: Instant | undefined
  readonly notices: NoticeFigures
  /** Without a bucket none waits. */
  readonly photos: WaitingPhotos
}

export function observeHouse(registry: Registry, read: () => Promise<HouseFigures>): void {
  const figures = keepFigures(read)
  addFigureGauge(registry, figures, {
    name: 'sklad_print_jobs_queued',
    help: 'Print jobs that no station has taken',
    show: (set, { queued }) => set({}, queued),
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_print_oldest_queued_seconds',
    help: 'How long the oldest print job waits for a station',
    show: (set, { oldestQueuedMs }) => set({}, oldestQueuedMs / 1000),
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_last_backup_timestamp_seconds',
    help: 'When "sklad backup" last wrote a file; 0: never',
    show: (set, { lastBackup }) => set({}, (lastBackup ?? 0) / 1000),
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_photos_waiting',
    help: 'Photos that wait for the bucket; 0 where none is named',
    show: (set, { photos }) => set({}, photos.waiting),
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_photos_oldest_waiting_seconds',
    help: 'How long ago the oldest photo that waits for the bucket was added',
    show: (set, { photos }) => set({}, photos.oldestMs / 1000),
  })
  addNoticeGauges(registry, figures)
}

/** Letters with notices, by the channel that they go by. */
function addNoticeGauges(registry: Registry, figures: ReadFigures<HouseFigures>): void {
  addFigureGauge(registry, figures, {
    name: 'sklad_notices_enabled',
    help: '0 while letters with notices are switched off',
    show: (set, { notices }) => set({}, notices.enabled ? 1 : 0),
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_notices_waiting',
    help: 'Letters with notices that wait: due now, or later (for their hour, or for the next attempt)',
    labels: ['channel', 'state'],
    show: (set, { notices }) => {
      for (const { channel, due, later } of notices.channels) {
        set({ channel, state: 'due' }, due)
        set({ channel, state: 'later' }, later)
      }
    },
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_notices_oldest_due_seconds',
    help: 'How long the oldest due letter could have been tried already',
    labels: ['channel'],
    show: (set, { notices }) => {
      for (const { channel, oldestDueMs } of notices.channels) set({ channel }, oldestDueMs / 1000)
    },
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_notices_ended',
    help: 'Letters of the last day by outcome: sent, or failed for good',
    labels: ['channel', 'outcome'],
    show: (set, { notices }) => {
      for (const { channel, sent, failed } of notices.channels) {
        set({ channel, outcome: 'sent' }, sent)
        set({ channel, outcome: 'failed' }, failed)
      }
    },
  })
}

export function addFigureGauge<T>(
  registry: Registry,
  figures: ReadFigures<T>,
  { name, help, labels = [], show }: FigureGauge<T>,
): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      const known = await figures()
      this.reset()
      if (known === undefined) this.remove({})
      else show((labels, value) => this.set(labels, value), known)
    },
  })
}

/** Remembers what was read; reads never overlap. Undefined while the database does not answer. */
export function keepFigures<T>(read: () => Promise<T>): ReadFigures<T> {
  let known: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const refresh = async () => {
    known = await read().catch(() => undefined)
    readAt = performance.now()
    reading = undefined
  }
  return async () => {
    if (performance.now() - readAt < figuresMs) return known
    reading ??= refresh()
    const late = new Promise<'late'>((resolve) =>
      setTimeout(resolve, patienceMs, 'late' as const).unref(),
    )
    return (await Promise.race([reading, late])) === 'late' ? undefined : known
  }
}

/** Prometheus metrics of the exchange with marketplaces; all are figures of the database. */
export function observeCabinets(registry: Registry, read: () => Promise<CabinetFigures>): void {
  const figures = keepFigures(read)
  addFigureGauge(registry, figures, {
    name: 'sklad_marketplaces_enabled',
    help: '0 while the exchange with marketplaces is switched off',
    show: (set, { enabled }) => set({}, enabled ? 1 : 0),
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_cabinets',
    help: 'Cabinets that are synced, by marketplace and state: synced, late, failing or refused (their key)',
    labels: ['marketplace', 'state'],
    show: (set, { cabinets }) => {
      for (const marketplace of marketplaces) {
        for (const state of cabinetStates) set({ marketplace, state }, 0)
      }
      for (const { count, ...labels } of cabinets) set(labels, count)
    },
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_cabinet_oldest_sync_seconds',
    help: 'How long ago the cabinet was synced that was not for the longest, without those whose key is refused',
    labels: ['marketplace'],
    show: (set, { oldestSyncMs }) => {
      for (const [marketplace, ms] of oldestSyncMs) set({ marketplace }, ms / 1000)
    },
  })
}
