import type { Timestamp } from '../../platform/kernel/moscow-time.ts'

/** A table that leaves the service as a file. Its rows come in batches, so that no more than one of them is in memory. */
export interface ExportTable {
  readonly title: string
  readonly columns: readonly ExportColumn[]
  readonly batches: AsyncIterable<readonly ExportRow[]>
}

export interface ExportColumn {
  readonly title: string
  /** Moments stand in files as Moscow time, money as roubles with kopecks. */
  readonly kind: 'text' | 'number' | 'money' | 'moment'
  /** What people type below stays a text, with its zeros. */
  readonly isCode?: boolean
}

/** A cell for each column; null for an empty one. */
export type ExportRow = readonly (string | number | Timestamp | null)[]

/** A cell as text: `22.11.2026 14:05` for a moment, `75,50` for money. */
export function shownCell(value: ExportRow[number], { kind }: ExportColumn): string {
  if (value === null) return ''
  if (typeof value === 'number') {
    return (kind === 'money' ? value.toFixed(2) : String(value)).replace('.', ',')
  }
  if (kind !== 'moment') return value
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(value) ?? []
  return year === undefined ? value : `${day}.${month}.${year} ${time}`
}
