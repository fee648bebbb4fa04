import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import { number } from '../words/format.ts'
import { useAddress } from './address.ts'
import { Bulk, type BulkAction, type Selection, useSelection } from './bulk.tsx'
import { Failure } from './failure.tsx'
import { ListMenu, visibleColumns } from './list-menu.tsx'
import { useRows } from './use-rows.ts'

export interface Column<T> {
  readonly title: string
  readonly cell: (row: T) => ComponentChildren
  /** Figures stand at the end. */
  readonly end?: boolean
}

interface Page<T> {
  readonly items: readonly T[]
  readonly total?: number
  readonly next_cursor?: string | null
}

export interface PageAsked {
  readonly cursor: string | undefined
  readonly limit: number
  readonly signal: AbortSignal
}

interface ListProps<T> {
  /** What the list holds, for those who hear the page. */
  readonly name: string
  /** What the answer depends on, beside the page of the list. */
  readonly of?: string
  readonly ask: (page: PageAsked) => Promise<Page<T>>
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  /** What a person does when the list is empty. */
  readonly empty: ComponentChildren
  /** Asks again after a change on the page. */
  readonly version?: number
  /** What can be done to several rows at once. */
  readonly bulk?: readonly BulkAction<T>[] | undefined
  /** Links to the list as a file. */
  readonly files?: ComponentChildren
}

const limit = 50
const refreshMs = 20_000

/** A page of a list by cursor. It refreshes itself and stays where it is; a row leads where its first link does. */
export function List<T>(props: ListProps<T>) {
  const { name, of = '', ask, columns, keyOf, empty, version = 0, bulk = [], files } = props
  const { query } = useAddress()
  const { cursor } = query
  const selection = useSelection(`${of} ${cursor ?? ''}`)
  const { data, error, reload } = useAnswer(
    `${name} ${of} ${cursor ?? ''} ${version}`,
    (signal) => ask({ cursor, limit, signal }),
    { refreshMs },
  )
  const shown = visibleColumns(columns, query.hide)
  const { frame, height } = useLastHeight(data !== undefined)
  if (data === undefined) {
    return error === undefined ? (
      <Waiting columns={shown.length} height={height} />
    ) : (
      <Failure error={error} retry={reload} />
    )
  }
  return (
    <div ref={frame} class="stack list">
      <Failure error={error} retry={reload} />
      {bulk.length > 0 && data.items.length > 0 && (
        <Bulk actions={bulk} rows={data.items} keyOf={keyOf} selection={selection} done={reload} />
      )}
      {data.items.length === 0 ? (
        <div class="empty">
          {cursor === undefined ? empty : 'На этой странице больше ничего нет.'}
        </div>
      ) : (
        <Table
          name={name}
          rows={data.items}
          columns={shown}
          keyOf={keyOf}
          selection={bulk.length > 0 ? selection : undefined}
        />
      )}
      <div class="list-foot">
        <Pages total={data.total} shown={data.items.length} next={data.next_cursor} />
        <div class="row">
          {files}
          <ListMenu columns={columns} />
        </div>
      </div>
    </div>
  )
}

/** The height of what was shown last, so that nothing jumps while the next page is on its way. */
function useLastHeight(isShown: boolean) {
  const frame = useRef<HTMLDivElement>(null)
  const height = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (isShown) height.current = `${frame.current?.offsetHeight}px`
  })
  return { frame, height: height.current }
}

interface TableProps<T> {
  readonly name: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  readonly selection?: Selection | undefined
}

/** Rows and columns; it scrolls sideways in a frame of its own where the page is narrow. */
export function Table<T>({ name, rows, columns, keyOf, selection }: TableProps<T>) {
  const frame = useRef<HTMLElement>(null)
  useRows(frame)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section ref={frame} class="table-frame" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {selection && <th class="pick">{selection.boxOfAll(rows.map(keyOf))}</th>}
            {columns.map(({ title, end }) => (
              <th key={title} scope="col" class={end ? 'end' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {selection && <td class="pick">{selection.boxOf(keyOf(row))}</td>}
              {columns.map(({ title, cell, end }) => (
                <td key={title} class={end ? 'end' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface PagesProps {
  readonly total: number | undefined
  readonly shown: number
  readonly next: string | null | undefined
}

function Pages({ total, shown, next }: PagesProps) {
  const { query, hrefWith } = useAddress()
  const isFirst = query.cursor === undefined
  if (isFirst && !next) {
    return <p class="quiet small">{total === undefined ? '' : `Всего: ${number(total)}`}</p>
  }
  return (
    <nav class="row" aria-label="Страницы списка">
      {!isFirst && (
        <a class="button" href={hrefWith({ cursor: undefined })}>
          В начало
        </a>
      )}
      {next && (
        <a class="button" href={hrefWith({ cursor: next })}>
          Дальше
        </a>
      )}
      <span class="quiet small">
        {number(shown)} {total === undefined ? '' : `из ${number(total)}`}
      </span>
    </nav>
  )
}

const waitingRows = [1, 2, 3, 4, 5, 6, 7, 8]

interface WaitingProps {
  readonly columns: number
  readonly height: string | undefined
}

function Waiting({ columns, height }: WaitingProps) {
  return (
    <div class="waiting" aria-busy="true" data-columns={columns} style={{ height }}>
      {waitingRows.map((row) => (
        <div key={row} />
      ))}
      <span class="visually-hidden">Загружаем</span>
    </div>
  )
}
