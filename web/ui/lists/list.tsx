import { type ComponentChildren, createContext } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../address.ts'
import { AnswerFailure } from '../forms/refusal.tsx'
import { Bulk, type BulkAction, useSelection } from './bulk.tsx'
import { ListMenu, visibleColumns } from './list-menu.tsx'
import { ListPages, placeIn, usePageSize } from './list-pages.tsx'
import { type Column, orderIn, Table } from './table.tsx'

interface Page<T> {
  readonly items: readonly T[]
  readonly total?: number
  readonly next_cursor?: string | null
}

export interface PageAsked<Order extends string = never> {
  readonly cursor: string | undefined
  readonly limit: number
  /** As the API takes it; undefined where its own order is wanted. */
  readonly sort: Order | undefined
  readonly signal: AbortSignal
}

interface ListProps<T, Order extends string> {
  /** What the list holds, for those who hear the page. */
  readonly name: string
  /** What the answer depends on, beside the page of the list. */
  readonly of?: string
  readonly ask: (page: PageAsked<Order>) => Promise<Page<T>>
  readonly columns: readonly Column<T, Order>[]
  /** The order that the API takes where the address names none, for its mark in the head. */
  readonly order?: Order
  readonly keyOf: (row: T) => string
  /** Shows several rows as one, such as scans of the same goods. The pages count the rows of the API. */
  readonly together?: (rows: readonly T[]) => readonly T[]
  /** Where a row leads; without it a row leads where its first link does. */
  readonly href?: (row: T) => string
  /** What a person does when the list is empty. */
  readonly empty: ComponentChildren
  /** Another one asks again, after a change on the page. */
  readonly version?: number | string
  readonly refreshMs?: number
  /** What can be done to several rows at once. */
  readonly bulk?: readonly BulkAction<T>[] | undefined
  /** Links to the list as a file. */
  readonly files?: ComponentChildren
}

/** The order in which a list asks for its rows, for its files; undefined where the API's own. */
export const OrderAsked = createContext<string | undefined>(undefined)

/** How often lists ask again while they are seen. */
export const listRefreshMs = 20_000

const asTheyAre = <T,>(rows: readonly T[]) => rows

/** A page of a list by cursor. It refreshes itself and stays where it is. */
export function List<T, Order extends string = never>(props: ListProps<T, Order>) {
  const { columns, keyOf, bulk = [], together = asTheyAre } = props
  const { query } = useAddress()
  const page = usePage(props)
  const { answer, order } = page
  const selection = useSelection(page.key)
  const frame = useTop(page.key)
  if (answer.data === undefined && answer.error !== undefined) {
    return <AnswerFailure answer={answer} />
  }
  const rows = answer.data?.items
  return (
    <div ref={frame} class="stack list">
      <AnswerFailure answer={answer} />
      {bulk.length > 0 && rows?.length !== 0 && (
        <Bulk
          actions={bulk}
          rows={rows ?? []}
          keyOf={keyOf}
          selection={selection}
          done={answer.reload}
        />
      )}
      <Table
        name={props.name}
        rows={rows && together(rows)}
        columns={visibleColumns(columns, query.hide)}
        order={order ?? ''}
        keyOf={keyOf}
        href={props.href}
        selection={bulk.length > 0 ? selection : undefined}
        empty={
          <div class="empty">
            {query.cursor === undefined ? props.empty : 'На этой странице больше ничего нет.'}
          </div>
        }
      />
      <div class="list-foot">
        <ListPages
          shown={rows?.length}
          total={answer.data?.total}
          next={answer.data?.next_cursor}
          size={page.size}
          setSize={page.setSize}
        />
        <div class="row">
          <OrderAsked.Provider value={page.sort}>{props.files}</OrderAsked.Provider>
          <ListMenu columns={columns} order={order} />
        </div>
      </div>
    </div>
  )
}

/** The page that the address names. */
function usePage<T, Order extends string>(props: ListProps<T, Order>) {
  const { name, of = '', ask, columns, version } = props
  const { query } = useAddress()
  const sort = orderIn(columns, query.sort)
  const [size, setSize] = usePageSize()
  const key = `${of} ${sort ?? ''} ${query.cursor ?? ''} ${size}`
  const { cursor } = placeIn(query.cursor)
  const answer = useAnswer(
    `${name} ${key}`,
    (signal) => ask({ cursor, limit: size, sort, signal }),
    { refreshMs: props.refreshMs ?? listRefreshMs },
  )
  const asked = useRef(version)
  useEffect(() => {
    if (asked.current !== version) answer.reload()
    asked.current = version
  }, [version])
  return { key, answer, sort, order: sort ?? props.order, size, setSize }
}

/** Another page begins at its top, also where the person has scrolled past it. */
function useTop(page: string) {
  const frame = useRef<HTMLDivElement>(null)
  const last = useRef(page)
  useLayoutEffect(() => {
    if (last.current === page) return
    last.current = page
    frame.current?.querySelector('.table-frame')?.scrollTo({ top: 0 })
    const isAbove = (frame.current?.getBoundingClientRect().top ?? 0) < 0
    if (isAbove) frame.current?.scrollIntoView({ block: 'start' })
  }, [page])
  return frame
}
