import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useAddress } from './address.ts'
import { isViewOf } from './saved-views.ts'
import { useSavedViews } from './use-saved-views.ts'

/** The filters of a list. Each writes itself into the address, so that a link is a view. */
export function Filters({ children }: { readonly children: ComponentChildren }) {
  const { path, query } = useAddress()
  const isFiltered = Object.keys(query).some((name) => name !== 'hide' && name !== 'form')
  // On a phone the list comes first.
  const [isOpen] = useState(() => isFiltered || matchMedia('(min-width: 761px)').matches)
  return (
    <>
      <ViewLinks />
      <details class="filter-box" open={isOpen}>
        <summary>Фильтры</summary>
        <search class="filters">
          {children}
          {isFiltered && (
            <a class="button plain" href={path}>
              Сбросить
            </a>
          )}
        </search>
      </details>
    </>
  )
}

/** The views of this list that its user has saved, one press each. */
function ViewLinks() {
  const { path, hrefWith } = useAddress()
  const views = useSavedViews().views.filter((view) => isViewOf(path, view))
  if (views.length === 0) return null
  const shown = hrefWith({ cursor: undefined, form: undefined })
  return (
    <nav class="views" aria-label="Сохранённые виды">
      {views.map(({ name, href }) => (
        <a
          key={name}
          class="view-link"
          href={href}
          aria-current={href === shown ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}

interface FilterProps {
  /** As in the address and in the API. */
  readonly name: string
  readonly label: string
}

export function TextFilter({ name, label }: FilterProps) {
  const { query, go } = useAddress()
  const id = useId()
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault()
        const text = String(new FormData(event.currentTarget).get(name)).trim()
        go({ [name]: text, cursor: undefined })
      }}
    >
      <label for={id}>{label}</label>
      <input
        key={query[name]}
        id={id}
        name={name}
        type="search"
        defaultValue={query[name] ?? ''}
        autocomplete="off"
        onBlur={(event) => {
          const text = event.currentTarget.value.trim()
          if (text !== (query[name] ?? '')) go({ [name]: text, cursor: undefined })
        }}
      />
    </form>
  )
}

interface ChoiceFilterProps extends FilterProps {
  /** Values with their words. */
  readonly options: Readonly<Record<string, string>>
  readonly all?: string
}

export function ChoiceFilter({ name, label, options, all = 'Все' }: ChoiceFilterProps) {
  const { query, go } = useAddress()
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={query[name] ?? ''}
        onChange={(event) => go({ [name]: event.currentTarget.value, cursor: undefined })}
      >
        <option value="">{all}</option>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A day in Moscow. */
export function DateFilter({ name, label }: FilterProps) {
  const { query, go } = useAddress()
  const id = useId()
  return (
    <div class="field date">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={query[name] ?? ''}
        onChange={(event) => go({ [name]: event.currentTarget.value, cursor: undefined })}
      />
    </div>
  )
}

/** Midnight in Moscow of a day in the address; the day after it where a period ends with that day. */
export function midnightOf(day: string | undefined, daysLater = 0): string | undefined {
  if (day === undefined || Number.isNaN(Date.parse(day))) return undefined
  return new Date(Date.parse(`${day}T00:00:00+03:00`) + daysLater * 86_400_000).toISOString()
}

/** Of what the address holds, the value if it is one of these: an old link may name anything. */
export function oneOf<const T extends string>(
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  return known.find((each) => each === value)
}
