/**
 * A paper of the warehouse, before it is drawn: what it is, facts about it, tables, and who signs. Texts are
 * Russian. `html.ts` and `pdf.ts` draw the same paper.
 */
export interface Paper {
  readonly title: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly tables: readonly PaperTable[]
  /** Under the tables, a sentence each. */
  readonly notes: readonly string[]
  /** Who signs, as «Сдал (склад)». */
  readonly signatures: readonly string[]
}

export interface PaperTable {
  readonly title: string
  readonly columns: readonly PaperColumn[]
  /** A text for each column. */
  readonly rows: readonly (readonly string[])[]
}

export interface PaperColumn {
  readonly title: string
  /** The share of the width; all shares of a table add up to any sum. */
  readonly share: number
  /** Numbers stand at the right. */
  readonly isNumber?: boolean
}

export const barcodeColumn: PaperColumn = { title: 'Штрихкод', share: 4 }
export const goodsColumn: PaperColumn = { title: 'Товар', share: 8 }
export const numberColumn = (title: string): PaperColumn => ({ title, share: 2, isNumber: true })

/** A difference, with its sign. */
export function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count).replace('-', '−')
}

/** A moment as it stands on papers: `22.11.2026 14:05`, Moscow time. */
export function momentOnPaper(timestamp: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(timestamp) ?? []
  return year === undefined ? timestamp : `${day}.${month}.${year} ${time}`
}
