import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from '../address.ts'
import type { Selection } from './bulk.tsx'
import { Scrolled } from './scrolled.tsx'
import { useRows } from './use-rows.ts'

export interface Column<T, Order extends string = never> {
  readonly title: string
  readonly cell: (row: T) => ComponentChildren
  /** Figures stand at the end. */
  readonly end?: boolean
  /** On a phone it stands at the end of a row's first line. */
  readonly main?: boolean
  /** What the API calls the order by this column, as it is taken at the first press: `-created` begins with the latest. */
  readonly sort?: Order
}

interface TableProps<T, Order extends string> {
  readonly name: string
  /** Undefined while they are on their way. */
  readonly rows: readonly T[] | undefined
  readonly columns: readonly Column<T, Order>[]
  /** The order that is shown, empty where none is known; undefined where the rows cannot be ordered. */
  readonly order?: string | undefined
  readonly keyOf: (row: T) => string
  /** Where a row leads. */
  readonly href?: ((row: T) => string) | undefined
  readonly selection?: Selection | undefined
  /** Links to all rows as a file, below them. */
  readonly files?: ComponentChildren
  /** What stands in its place where there are no rows. */
  readonly empty?: ComponentChildren
}

export function Table<T, Order extends string = never>(props: TableProps<T, Order>) {
  const { rows, empty } = props
  return empty !== undefined && rows?.length === 0 ? empty : <Rows {...props} />
}

/**
 * Rows and columns; cards where the place is narrow. It scrolls in a frame of its own, under its head, beside its first
 * column. While other rows are on their way its head stays, and its frame as large as it was.
 */
function Rows<T, Order extends string>(props: TableProps<T, Order>) {
  const { name, rows, columns, order, keyOf, href, selection, files } = props
  const frame = useRef<HTMLElement>(null)
  useRows(frame)
  const height = useLastHeight(frame, rows !== undefined)
  const areCards = useIsCut(frame, widthOf(columns))
  const table = (
    <Scrolled
      ref={frame}
      class={areCards ? 'table-frame cards' : 'table-frame'}
      aria-label={name}
      style={{ height }}
    >
      <table aria-label={name} aria-busy={rows === undefined ? true : undefined}>
        <thead>
          <tr>
            {selection && <th class="pick">{selection.boxOfAll(rows?.map(keyOf) ?? [])}</th>}
            {columns.map((column) => (
              <Head key={column.title} {...column} order={order} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined && <Waiting columns={columns.length + (selection ? 1 : 0)} />}
          {rows?.map((row) => (
            <tr key={keyOf(row)}>
              {selection && <td class="pick">{selection.boxOf(keyOf(row))}</td>}
              {columns.map(({ title, cell, end, main }, at) => (
                <td key={title} class={classOf(end, main)} data-title={title}>
                  {at === 0 && href !== undefined ? <a href={href(row)}>{cell(row)}</a> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
  if (files === undefined) return table
  return (
    <div class="stack list">
      {table}
      <div class="list-foot">
        <div class="row">{files}</div>
      </div>
    </div>
  )
}

function classOf(end = false, main = false): string | undefined {
  return [end && 'end', main && 'main'].filter(Boolean).join(' ') || undefined
}

interface HeadProps {
  readonly title: string
  readonly end?: boolean
  readonly sort?: string
  readonly order: string | undefined
}

/** The head of a column. Where it can order the list, a press does, and another press turns the order around. */
function Head({ title, end, sort, order }: HeadProps) {
  const { hrefWith } = useAddress()
  if (sort === undefined || order === undefined) {
    return (
      <th scope="col" class={classOf(end)}>
        {title}
      </th>
    )
  }
  const isSorted = keyOfOrder(order) === keyOfOrder(sort)
  const next = isSorted ? turned(order) : sort
  return (
    <th scope="col" class={classOf(end)} aria-sort={isSorted ? directionOf(order) : 'none'}>
      <a class="order" href={hrefWith({ sort: next, cursor: undefined })}>
        {title}
        <span aria-hidden="true">{isSorted ? marks[directionOf(order)] : '↕'}</span>
      </a>
    </th>
  )
}

const marks = { ascending: '↑', descending: '↓' } as const

function directionOf(order: string): keyof typeof marks {
  return order.startsWith('-') ? 'descending' : 'ascending'
}

function keyOfOrder(order: string): string {
  return order.replace(/^-/, '')
}

export function turned(order: string): string {
  return order.startsWith('-') ? keyOfOrder(order) : `-${order}`
}

/** What the address names, if a column orders the list so: an old link may name anything. */
export function orderIn<T, Order extends string>(
  columns: readonly Column<T, Order>[],
  named: string | undefined,
): Order | undefined {
  const isKnown = columns.some(({ sort }) => sort === named || (sort && turned(sort) === named))
  return named !== undefined && isKnown ? (named as Order) : undefined
}

/** The height of the rows that were shown last, so that nothing jumps while others are on their way. */
function useLastHeight(frame: { readonly current: HTMLElement | null }, isShown: boolean) {
  const height = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (isShown) height.current = `${frame.current?.offsetHeight}px`
  })
  return isShown ? undefined : height.current
}

const textWidthMin = 100
const figureWidthMin = 60

/** The width in px below which columns would be cut. */
function widthOf(columns: readonly { readonly end?: boolean }[]): number {
  return columns.reduce((sum, { end }) => sum + (end ? figureWidthMin : textWidthMin), 0)
}

/** Whether the columns do not fit into the frame, before it is seen. */
function useIsCut(frame: { readonly current: HTMLElement | null }, width: number): boolean {
  const [isCut, setCut] = useState(false)
  const needed = useRef(0)
  const judge = () => {
    const { clientWidth = 0, scrollWidth = 0 } = frame.current ?? {}
    if (!isCut) needed.current = Math.max(width, scrollWidth)
    setCut(clientWidth < needed.current)
  }
  // What stands beside it comes and goes with its page.
  useLayoutEffect(judge)
  useLayoutEffect(() => {
    addEventListener('resize', judge)
    return () => removeEventListener('resize', judge)
  })
  return isCut
}

const waitingRows = [1, 2, 3, 4, 5, 6, 7, 8]

function Waiting({ columns }: { readonly columns: number }) {
  return (
    <>
      {waitingRows.map((row) => (
        <tr key={row} class="waiting-row">
          <td colSpan={columns}>{row === 1 && <span class="visually-hidden">Загружаем</span>}</td>
        </tr>
      ))}
    </>
  )
}
