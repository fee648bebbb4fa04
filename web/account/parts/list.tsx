import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/use-action.ts'
import { number } from '../../words/format.ts'
import { AnswerFailure } from './refusal.tsx'

/** How often lists ask again while they are seen. */
export const listRefreshMs = 20_000

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Numbers stand at the right. */
  readonly isNumber?: boolean
}

interface TableProps<Row> {
  readonly caption: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Where a row leads. */
  readonly href?: (row: Row) => string
  readonly columns: readonly Column<Row>[]
}

export function Table<Row>({ caption, rows, keyOf, href, columns }: TableProps<Row>) {
  return (
    // A wide table is scrolled by keyboard, too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region takes the focus
    <section class="table-frame" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'end' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }, at) => (
                <td key={title} class={isNumber ? 'end' : undefined}>
                  {at === 0 && href !== undefined ? <a href={href(row)}>{cell(row)}</a> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface PageOf<Row> {
  readonly items: readonly Row[]
  readonly total: number
  readonly next_cursor: string | null
}

export interface PageAsked {
  readonly cursor: string | undefined
  /** The API takes its own greatest for a greater one. */
  readonly limit: number | undefined
}

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  /** Names the list and its filters: another one begins at its first page. */
  readonly listKey: string
  readonly ask: (page: PageAsked, signal: AbortSignal) => Promise<PageOf<Row>>
  /** What to do where there is nothing. */
  readonly empty: ComponentChildren
  /** Asks again after a change on the page. */
  readonly version?: number
  readonly refreshMs?: number
}

/** A list of the API, page after page. It refreshes itself as far as it is shown and stays where it is. */
export function List<Row>(props: ListProps<Row>) {
  const { listKey, ask, empty, version = 0, refreshMs = listRefreshMs, ...table } = props
  const { first, rows, next, more } = useRows({ listKey, ask, keyOf: table.keyOf, refreshMs })
  useEffect(() => {
    if (version > 0) first.reload()
  }, [version])
  if (first.data === undefined) {
    return first.error === undefined ? <Skeleton /> : <AnswerFailure answer={first} />
  }
  return (
    <div class="stack">
      <AnswerFailure answer={first} />
      {first.data.total === 0 ? (
        <div class="panel empty">{empty}</div>
      ) : (
        <>
          <Table {...table} rows={rows} />
          <Failure error={more.error} />
          <div class="row">
            <span class="quiet">
              Показано {number(rows.length)} из {number(first.data.total)}
            </span>
            {next !== null && (
              <button type="button" disabled={more.busy} onClick={() => more.run()}>
                {more.busy ? 'Загружаем…' : 'Показать ещё'}
              </button>
            )}
          </div>
        </>
      )}
    </div>
  )
}

interface Rest<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
  /** How many rows were shown with them. */
  readonly end: number
}

/** The first page, which is asked for again with as many rows as are shown, and what the person wanted to see after it. */
function useRows<Row>({
  listKey,
  ask,
  keyOf,
  refreshMs,
}: Pick<ListProps<Row>, 'listKey' | 'ask' | 'keyOf'> & { readonly refreshMs: number }) {
  const shown = useRef<number>(undefined)
  const first = useAnswer(
    listKey,
    (signal) => ask({ cursor: undefined, limit: shown.current }, signal),
    { refreshMs },
  )
  const [rest, setRest] = useState<Rest<Row>>()
  // Before the first page of another list is asked for.
  useLayoutEffect(
    () => () => {
      shown.current = undefined
      setRest(undefined)
    },
    [listKey],
  )
  const { items = [], next_cursor: nextOfFirst = null } = first.data ?? {}
  // New rows push others beyond what was asked for again.
  const last = items.at(-1)
  const at =
    last === undefined ? -1 : (rest?.rows.findIndex((row) => keyOf(row) === keyOf(last)) ?? -1)
  const isRestShown =
    rest !== undefined && nextOfFirst !== null && (at >= 0 || items.length < rest.end)
  const known = new Set(items.map(keyOf))
  const later = isRestShown ? rest.rows.slice(at + 1).filter((row) => !known.has(keyOf(row))) : []
  const rows = [...items, ...later]
  if (isRestShown) shown.current = rows.length
  const next = isRestShown ? rest.next : nextOfFirst
  const more = useAction(async () => {
    const page = await ask({ cursor: next ?? undefined, limit: undefined }, AbortSignal.any([]))
    const end = rows.length + page.items.length
    setRest({ rows: [...later, ...page.items], next: page.next_cursor, end })
  })
  return { first, rows, next, more }
}

/** As large as what comes. */
export function Skeleton({ rows = 8 }: { readonly rows?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="visually-hidden">Загружаем…</span>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} class="skeleton-row" />
      ))}
    </div>
  )
}
