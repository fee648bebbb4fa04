import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useFilters } from './address.ts'
import { fieldsOf } from './form.ts'

/** A form whose fields are filters in the address. Selects and dates take effect at once, texts with Enter. */
export function Filters({
  names,
  children,
}: {
  readonly names: readonly string[]
  readonly children: ComponentChildren
}) {
  const { filters, set } = useFilters()
  const apply = (form: HTMLFormElement) => {
    const given = fieldsOf(form)
    set(Object.fromEntries(names.map((name) => [name, given[name] ?? ''])))
  }
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault()
        apply(event.currentTarget)
      }}
      onChange={(event) => apply(event.currentTarget)}
      key={names.map((name) => filters[name]).join('\n')}
    >
      {children}
    </form>
  )
}

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
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        name={name}
        defaultValue={filters[name] ?? ''}
        placeholder={placeholder}
        maxLength={200}
      />
    </div>
  )
}

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
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type="date" name={name} defaultValue={filters[name] ?? value ?? ''} />
    </div>
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
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        <option value="">Все</option>
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value} selected={filters[name] === value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}
