import {
  type ComponentChildren,
  createContext,
  type InputHTMLAttributes,
  type RefObject,
} from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { asSentences } from '../../../src/platform/kernel/sentences.ts'
import { type CallError, wrongField } from '../../api/caller.ts'
import { Failure } from '../failure.tsx'
import { Field, FieldText } from './field.tsx'
import { markSaved, markTyped } from './unsaved.tsx'
import { submits, useAction } from './use-action.ts'

/** What was typed into a form. A field that is empty was not given. */
export class FormValues {
  readonly #data: FormData
  constructor(form: HTMLFormElement) {
    this.#data = new FormData(form)
  }
  text(name: string): string {
    return String(this.#data.get(name) ?? '').trim()
  }
  optional(name: string): string | undefined {
    return this.text(name) || undefined
  }
  /** Throws what the form shows at the field: JSON would turn a text that is no number into null. */
  number(name: string): number | undefined {
    const text = this.text(name)
    if (text === '') return undefined
    const number = Number(text)
    if (Number.isFinite(number)) return number
    throw wrongField(name, 'напишите число цифрами')
  }
  isChecked(name: string): boolean {
    return this.#data.get(name) !== null
  }
  all(name: string): string[] {
    return this.#data.getAll(name).map(String)
  }
}

/**
 * What a form holds once everything in it has come, such as the options of a choice: who types fast waits for nothing.
 * Undefined where nothing may be sent any more: the person has gone elsewhere meanwhile, or a field is wrong.
 */
export function valuesOf(form: HTMLFormElement): Promise<FormValues | undefined> {
  const { href } = location
  return new Promise((give) => {
    const look = () => {
      const isLeft = location.href !== href || form.closest('dialog:not([open])') !== null
      if (!isLeft && form.querySelector('[aria-busy=true]') !== null) return
      changes.disconnect()
      give(isLeft || !form.reportValidity() ? undefined : new FormValues(form))
    }
    const changes = new MutationObserver(look)
    const around = form.closest('dialog') ?? form
    changes.observe(around, { subtree: true, childList: true, attributes: true })
    look()
  })
}

/** The chosen one of these values; the first where nothing was chosen. */
export function oneOfChoices<const T extends string>(
  values: FormValues,
  name: string,
  choices: Readonly<Record<T, string>>,
): T {
  const known = Object.keys(choices) as T[]
  const value = values.text(name)
  return known.find((each) => each === value) ?? (known[0] as T)
}

const Refusal = createContext<CallError | undefined>(undefined)

interface FormProps {
  readonly title?: string
  readonly submit: string
  readonly busy?: string
  readonly act: (values: FormValues) => Promise<unknown>
  readonly cancel?: string
  /** Whether it stands below another one: a page has one main button. */
  readonly minor?: boolean
  readonly children: ComponentChildren
}

/** A form that keeps what was typed when the service refuses it, and shows why at the field that the service names. */
export function Form(props: FormProps) {
  const { title, submit, busy = 'Сохраняем…', act, cancel, minor = false, children } = props
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const latest = useRef(act)
  latest.current = act
  const action = useAction(async (sent: HTMLFormElement) => {
    const values = await valuesOf(sent)
    if (values === undefined) return
    await latest.current(values)
    markSaved(sent)
  })
  useSideForm(form)
  // Only these show a refusal beside themselves; for the others the sentence stands below the form.
  const showing = form.current?.querySelectorAll('[aria-invalid]') ?? []
  const names = Array.from(
    showing,
    (input) => input.getAttribute('name') ?? input.getAttribute('data-name'),
  )
  const wrong = action.error?.fields ?? []
  const isAtField =
    wrong.length > 0 && wrong.every(({ path }) => names.some((name) => isIn(name, path)))
  useEffect(() => {
    if (action.error === undefined) return
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [action.error])
  return (
    <form
      ref={form}
      class="stack"
      aria-labelledby={title === undefined ? undefined : id}
      onInput={({ currentTarget }) => markTyped(currentTarget)}
      onSubmit={submits(action)}
    >
      {title !== undefined && <h2 id={id}>{title}</h2>}
      <Refusal.Provider value={action.error}>{children}</Refusal.Provider>
      {isAtField ? (
        <p class="visually-hidden" role="alert">
          {action.error?.message}
        </p>
      ) : (
        <Failure error={action.error} />
      )}
      <div class="row">
        <button type="submit" class={minor ? undefined : 'primary'} disabled={action.busy}>
          {action.busy ? busy : submit}
        </button>
        {cancel !== undefined && (
          <a class="button" href={cancel} data-gives-up>
            Отмена
          </a>
        )}
      </div>
    </form>
  )
}

/** A form beside a list takes the keyboard in the moment it opens, so that nothing typed goes elsewhere, and gives it back. */
function useSideForm(form: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    const own = form.current
    const before = document.activeElement
    const side = own?.closest('.beside > aside')
    // Of several forms the first, also when another one comes later.
    const isBeside = own != null && side?.querySelector('form') === own
    if (isBeside) own.querySelector<HTMLElement>(fields)?.focus()
    return () => {
      markSaved(own)
      if (isBeside && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
}

const fields = 'input:not([type=hidden]), select, textarea'

/** Whether a field of the form shows a path: its own, or that of a value in it (`scope.boxes[2]`). */
function isIn(name: string | null, path: string): boolean {
  return path === name || (path.endsWith(']') && path.slice(0, path.lastIndexOf('[')) === name)
}

type TextFieldProps = InputHTMLAttributes & {
  readonly name: string
  readonly label: string
  readonly hint?: string
}

/** What the refusal says of a field, if there is one. */
export function useProblem(name: string | undefined): string | undefined {
  const error = useContext(Refusal)
  if (error === undefined || name === undefined) return undefined
  const wrong = error.fields.filter(({ path }) => isIn(name, path))
  return asSentences(wrong.map(({ message }) => message)) || undefined
}

/** A field whose typing nobody follows only begins with its `value`: held to it, what was typed would be lost when the form is drawn again. */
export function TextField({ value, ...props }: TextFieldProps) {
  const problem = useProblem(props.name)
  const isFollowed = props.onInput !== undefined || props.onChange !== undefined
  const held = isFollowed ? { value } : { defaultValue: props.defaultValue ?? value }
  return <Field autocomplete="off" {...props} {...held} problem={problem} />
}

export interface ChoiceOptions {
  /** Undefined until they have come: a form waits for them. */
  readonly options: readonly { readonly value: string; readonly text: string }[] | undefined
  /** Why they do not come. */
  readonly error?: CallError | undefined
}

interface ChoiceProps extends ChoiceOptions {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  /** Asks for a choice where none is the usual one: the form is not sent without. */
  readonly asks?: string | undefined
  readonly hint?: string
  readonly onChange?: (value: string) => void
}

export function Choice(props: ChoiceProps) {
  const { name, label, options, error, value, asks, hint, onChange } = props
  const id = useId()
  const problem = useProblem(name) ?? error?.message
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        required={(asks ?? error) !== undefined}
        aria-busy={(options ?? error) === undefined || undefined}
        aria-invalid={problem !== undefined}
        aria-describedby={(problem ?? hint) === undefined ? undefined : `${id}-text`}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {asks !== undefined && <option value="">{asks}</option>}
        {options?.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
      <FieldText id={id} hint={hint} problem={problem} />
    </div>
  )
}

interface CheckProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly value?: string
  readonly checked?: boolean
}

export function Check({ name, label, hint, value = 'on', checked = false }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} defaultChecked={checked} />
      <span>
        {label}
        {hint !== undefined && <span class="small quiet">{hint}</span>}
      </span>
    </label>
  )
}
