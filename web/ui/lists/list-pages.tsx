import { useId, useLayoutEffect, useState } from 'preact/hooks'
import { number } from '../../words/format.ts'
import { useAddress } from '../address.ts'

interface Place {
  /** How many rows stand before the page; undefined where the address does not tell. */
  readonly before: number | undefined
  /** What the API goes on from; undefined for the first page. */
  readonly cursor: string | undefined
}

/** The address names a page by the rows before it and by the API's cursor: `50.cursor`. */
export function placeIn(text: string | undefined): Place {
  if (text === undefined) return { before: 0, cursor: undefined }
  const [, before, cursor] = /^(\d{1,9})\.(.*)$/.exec(text) ?? []
  if (cursor === undefined) return { before: undefined, cursor: text }
  return { before: Number(before), cursor }
}

function placeAfter(before: number | undefined, shown: number, cursor: string): string {
  return before === undefined ? cursor : `${before + shown}.${cursor}`
}

const sizes = [25, 50, 100] as const
const usualSize = 50
const sizeKept = 'rows on a page'

/** How many rows a page has, as the person chose in this browser. */
export function pageSize(): number {
  const kept = Number(localStorage.getItem(sizeKept))
  return sizes.find((each) => each === kept) ?? usualSize
}

export function usePageSize(): readonly [size: number, set: (size: number) => void] {
  const [size, setSize] = useState(pageSize)
  const set = (chosen: number) => {
    const known = sizes.find((each) => each === chosen) ?? usualSize
    localStorage.setItem(sizeKept, String(known))
    setSize(known)
  }
  return [size, set]
}

interface ListPagesProps {
  /** How many rows the page has; undefined while they are on their way, as the others. */
  readonly shown: number | undefined
  readonly total: number | undefined
  readonly next: string | null | undefined
  readonly size: number
  readonly setSize: (size: number) => void
}

/** Which rows are shown, and the ways to the others. */
export function ListPages({ shown, total, next, size, setSize }: ListPagesProps) {
  const { query, hrefWith, go } = useAddress()
  const here = query.cursor ?? ''
  const { before } = placeIn(query.cursor)
  const after = next && shown !== undefined ? placeAfter(before, shown, next) : undefined
  const last = usePageBefore(here, after)
  const isWhole = here === '' && shown !== undefined && after === undefined
  if (isWhole && shown <= Math.min(...sizes)) {
    return <p class="quiet small">{shown > 0 && `Всего: ${number(shown)}`}</p>
  }
  return (
    <nav class="row pages" aria-label="Страницы списка">
      <Way
        words="В начало"
        mark="«"
        href={here === '' ? undefined : hrefWith({ cursor: undefined })}
        because="Это первая страница"
      />
      <Way
        words="Назад"
        mark="‹"
        href={last === undefined ? undefined : hrefWith({ cursor: last })}
        because={
          here === '' ? 'Это первая страница' : 'Страницу открыли по ссылке: вернитесь в начало'
        }
      />
      <Way
        words="Дальше"
        mark="›"
        href={after === undefined ? undefined : hrefWith({ cursor: after })}
        because="Это последняя страница"
      />
      <select
        aria-label="Строк на странице"
        value={size}
        onChange={(event) => {
          setSize(Number(event.currentTarget.value))
          go({ cursor: undefined }, true)
        }}
      >
        {sizes.map((each) => (
          <option key={each} value={each}>
            по {each}
          </option>
        ))}
      </select>
      <span class="quiet small">{rowsInWords(before, shown, total)}</span>
    </nav>
  )
}

function rowsInWords(before: number | undefined, shown = 0, total: number | undefined): string {
  if (shown === 0) return ''
  const of = total === undefined ? '' : ` из ${number(total)}`
  if (before === undefined) return `${number(shown)}${of}`
  return `${number(before + 1)}–${number(before + shown)}${of}`
}

interface WayProps {
  readonly words: string
  readonly mark: string
  /** Undefined where there is no such page. */
  readonly href: string | undefined
  /** Why there is none. */
  readonly because: string
}

/** Where it leads nowhere it stays in its place and keeps the focus. */
function Way({ words, mark, href, because }: WayProps) {
  const id = useId()
  const isClosed = href === undefined
  return (
    <>
      <a
        class="button"
        {...(isClosed ? { role: 'link' as const } : { href })}
        tabIndex={0}
        aria-disabled={isClosed}
        aria-describedby={isClosed ? id : undefined}
      >
        <span aria-hidden="true">{mark}</span> <span class="way">{words}</span>
      </a>
      {isClosed && (
        <span id={id} hidden>
          {because}
        </span>
      )}
    </>
  )
}

/** The API's cursors lead on only: the browser keeps from which page each page was reached. */
function usePageBefore(here: string, after: string | undefined): string | undefined {
  useLayoutEffect(() => {
    if (after !== undefined) sessionStorage.setItem(`page before ${after}`, here)
  }, [here, after])
  return here === '' ? undefined : (sessionStorage.getItem(`page before ${here}`) ?? undefined)
}
