import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useFilters } from './address.ts'
import { fieldsOf } from './form.ts'
import { useRefusedFilter } from './refusal.tsx'

/** A form whose fields are filters in the address. Selects and dates take effect at once, texts with Enter. */
export function Filters({
  names,
  children,
}: {
  readonly names: readonly string[]
  readonly children: ComponentChildren
}) {
  const { set } = useFilters()
  const apply = (form: HTMLFormElement) => {
    // Half a date asks for nothing: it stays as it is until it is whole.
    if (!form.matches(':valid')) return
    const given = fieldsOf(form)
    set(Object.fromEntries(names.map((name) => [name, given[name] ?? ''])))
  }
  return (
    <form
      class="filters"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.currentTarget.checkValidity()
        apply(event.currentTarget)
      }}
      onChange={(event) => apply(event.currentTarget)}
    >
      {children}
    </form>
  )
}

/** A field follows the address, and is left alone while it is typed into. */
function useShown<Input extends HTMLInputElement | HTMLSelectElement>(
  value: string,
): RefObject<Input | null> {
  const input = useRef<Input>(null)
  useLayoutEffect(() => {
    if (input.current !== null && input.current.value !== value) input.current.value = value
  }, [value])
  return input
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

export function Search({
  name,
  label,
  placeholder,
}: {
  readonly name: string
  readonly label: string
  readonly placeholder?: string
}) {
  const { filters } = useFilters()
  const id = useId()
  const problem = useRefusedFilter(name)
  return (
    <Labelled id={id} label={label} problem={problem}>
      <input
        ref={useShown<HTMLInputElement>(filters[name] ?? '')}
        id={id}
        type="search"
        name={name}
        placeholder={placeholder}
        maxLength={200}
        {...wrong(id, problem)}
      />
    </Labelled>
  )
}

const firstDay = '2000-01-01'
const lastDay = '2099-12-31'

/** What a field of dates can show. */
const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

export function Day({
  name,
  label,
  value,
}: {
  readonly name: string
  readonly label: string
  readonly value?: string
}) {
  const { filters } = useFilters()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const refused = useRefusedFilter(name)
  const shown = filters[name] ?? value ?? ''
  const canShow = shown === '' || isDay(shown)
  const problem =
    typed ?? (refused === undefined || canShow ? refused : 'Такой даты нет, нужно как 2026-11-20')
  return (
    <Labelled id={id} label={label} problem={problem}>
      <input
        ref={useShown<HTMLInputElement>(shown)}
        id={id}
        // An address may name a day that a field of dates would swallow.
        {...(canShow ? { type: 'date' } : { type: 'text' })}
        name={name}
        min={firstDay}
        max={lastDay}
        onInput={() => setTyped(undefined)}
        onBlur={(event) => event.currentTarget.checkValidity()}
        onInvalid={({ currentTarget: { validity } }) =>
          setTyped(validity.badInput ? 'Такой даты нет' : 'Год от 2000 до 2099')
        }
        {...wrong(id, problem)}
      />
    </Labelled>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly options: Readonly<Record<string, string>>
}

export function Choice({ name, label, options }: ChoiceProps) {
  const { filters } = useFilters()
  const id = useId()
  const refused = useRefusedFilter(name)
  const shown = filters[name] ?? ''
  const problem = refused === undefined ? undefined : 'Выберите из списка'
  const isKnown = shown === '' || shown in options
  return (
    <Labelled id={id} label={label} problem={problem}>
      <select ref={useShown<HTMLSelectElement>(shown)} id={id} name={name} {...wrong(id, problem)}>
        <option value="">Все</option>
        {!isKnown && <option value={shown}>{shown}</option>}
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  )
}
