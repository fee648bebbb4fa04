import { type ComponentChildren, toChildArray, type VNode } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from '../address.ts'
import { useRefusedFilter } from '../forms/refusal.tsx'
import { isViewOf } from './saved-views.ts'
import { useSavedViews } from './use-saved-views.ts'

/** What else the address of a list holds. */
const notFilters = ['hide', 'form', 'sort', 'cursor']

/** The filters of a list. Each writes itself into the address, so that a link is a view. */
export function Filters({ children }: { readonly children: ComponentChildren }) {
  const { query, hrefWith } = useAddress()
  const set = Object.keys(query).filter((name) => !notFilters.includes(name))
  const isFiltered = set.length > 0
  const without = Object.fromEntries([...set, 'cursor'].map((name) => [name, undefined]))
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
            <a class="button plain" href={hrefWith(without)}>
              Сбросить
            </a>
          )}
        </search>
      </details>
    </>
  )
}

interface MoreFiltersProps {
  /** Filters with names. */
  readonly children: ComponentChildren
}

/** Under which name a filter writes itself into the address. */
function namesOf(child: string | number | VNode): string[] {
  const props = typeof child === 'object' ? child.props : {}
  if ('names' in props) return props.names as string[]
  return 'name' in props ? [String(props.name)] : []
}

/** What a list is seldom asked by: behind a button, which says how many of them are set. A link that sets one shows them. */
export function MoreFilters({ children }: MoreFiltersProps) {
  const { query } = useAddress()
  const id = useId()
  const names = toChildArray(children).flatMap(namesOf)
  const set = names.filter((name) => query[name] !== undefined).length
  const isSet = set > 0
  const [isOpen, setOpen] = useState(isSet)
  useLayoutEffect(() => {
    if (isSet) setOpen(true)
  }, [isSet])
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Ещё фильтры{isSet && <b class="count">{set}</b>}
      </button>
      <div id={id} class="filters more-filters" hidden={!isOpen}>
        {children}
      </div>
    </>
  )
}

/** The views of this list that its user has saved, one press each. */
function ViewLinks() {
  const { path, hrefWith } = useAddress()
  const { views: own, shared } = useSavedViews()
  const views = [...own, ...(shared?.views ?? [])].filter((view) => isViewOf(path, view))
  if (views.length === 0) return null
  const shown = hrefWith({ cursor: undefined, form: undefined })
  return (
    <nav class="views" aria-label="Сохранённые виды">
      {views.map(({ name, href }) => (
        <a
          key={href + name}
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

interface LabelledProps {
  readonly id: string
  readonly label: string
  readonly problem: string | undefined
  readonly children: ComponentChildren
}

function Labelled({ id, label, problem, children }: LabelledProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {problem !== undefined && (
        <span id={`${id}-problem`} class="small problem">
          {problem}
        </span>
      )}
    </div>
  )
}

/** Tells the browser what is wrong with a field. */
const wrong = (id: string, problem: string | undefined) => ({
  'aria-invalid': problem !== undefined,
  'aria-describedby': problem === undefined ? undefined : `${id}-problem`,
})

/** A field follows the address, and keeps the keyboard and what is being typed. */
function useShown(value: string) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (input.current !== null && input.current.value !== value) input.current.value = value
  }, [value])
  return input
}

/** A text that takes effect with Enter, or when the keyboard leaves it. */
export function TextFilter({ name, label }: FilterProps) {
  const { query, go } = useAddress()
  const id = useId()
  const problem = useRefusedFilter(name)
  const shown = query[name] ?? ''
  const input = useShown(shown)
  const apply = () => {
    const text = input.current?.value.trim() ?? ''
    if (text !== shown) go({ [name]: text, cursor: undefined })
  }
  return (
    <Labelled id={id} label={label} problem={problem}>
      <input
        ref={input}
        id={id}
        name={name}
        type="search"
        autocomplete="off"
        maxLength={200}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
        onBlur={apply}
        {...wrong(id, problem)}
      />
    </Labelled>
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
  const problem = useRefusedFilter(name) && 'Выберите из списка'
  const shown = query[name] ?? ''
  const isKnown = shown === '' || shown in options
  return (
    <Labelled id={id} label={label} problem={problem}>
      <select
        id={id}
        name={name}
        value={shown}
        onChange={(event) => go({ [name]: event.currentTarget.value, cursor: undefined })}
        {...wrong(id, problem)}
      >
        <option value="">{all}</option>
        {!isKnown && <option value={shown}>{shown}</option>}
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

const firstDay = '2000-01-01'
const lastDay = '2099-12-31'

/** What a field of dates can show. */
function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text)
  )
}

interface DaysFilterProps {
  /** Of the first day and of the last, as in the address. */
  readonly names: readonly [from: string, to: string]
  readonly label: string
}

/** From a day to a day: one says nothing without the other, so they stay in one line. */
export function DaysFilter({ names: [from, to], label }: DaysFilterProps) {
  return (
    <div class="days">
      <DateFilter name={from} label={label} />
      <DateFilter name={to} label="по" />
    </div>
  )
}

interface DateFilterProps extends FilterProps {
  /** Shown where the address names none. */
  readonly value?: string
}

/** A day in Moscow. */
export function DateFilter({ name, label, value }: DateFilterProps) {
  const { query, go } = useAddress()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const refused = useRefusedFilter(name)
  const shown = query[name] ?? value ?? ''
  const canShow = shown === '' || isDay(shown)
  const problem =
    typed ?? (refused === undefined || canShow ? refused : 'Такой даты нет, нужно как 2026-11-20')
  return (
    <Labelled id={id} label={label} problem={problem}>
      <input
        ref={useShown(shown)}
        id={id}
        // An address may name a day that a field of dates would swallow.
        {...(canShow ? { type: 'date' } : { type: 'text' })}
        name={name}
        min={firstDay}
        max={lastDay}
        onInput={() => setTyped(undefined)}
        onChange={({ currentTarget: field }) => {
          // Half a date asks for nothing: it stays as it is until it is whole.
          if (field.checkValidity()) go({ [name]: field.value, cursor: undefined })
        }}
        onBlur={(event) => event.currentTarget.checkValidity()}
        onInvalid={({ currentTarget: { validity } }) =>
          setTyped(validity.badInput ? 'Такой даты нет' : 'Год от 2000 до 2099')
        }
        {...wrong(id, problem)}
      />
    </Labelled>
  )
}

const dayMs = 86_400_000

/** Midnight in Moscow of a day in the address; the day after it where a period ends with that day. */
export function midnightOf(day: string | undefined, daysLater = 0): string | undefined {
  if (day === undefined || Number.isNaN(Date.parse(day))) return undefined
  return new Date(Date.parse(`${day}T00:00:00+03:00`) + daysLater * dayMs).toISOString()
}

/** The day on which a period of an API ends that the address ends with this day. What is no day stays: the API refuses it. */
export function dayAfter(day: string | undefined): string | undefined {
  if (day === undefined || !isDay(day)) return day
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
}

/** Of what the address holds, the value if it is one of these: an old link may name anything. */
export function oneOf<const T extends string>(
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  return known.find((each) => each === value)
}
