import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { asCallError } from '../../api/use-answer.ts'
import { number } from '../../words/format.ts'
import { ActionButton } from '../forms/action-button.tsx'
import { ConfirmButton } from '../forms/confirm-button.tsx'
import { FormValues } from '../forms/form.tsx'
import { showToast } from '../toast.tsx'

export type BulkAction<T> = {
  readonly label: string
  /** The question, such as «Подтвердить 3 заявки?»; without it, it is done at once, because it can be taken back. */
  readonly question?: ((count: number) => string) | undefined
  readonly consequence?: string
  /** What a person says of all of them at once. */
  readonly fields?: ComponentChildren
  /** How a row is named where it failed. */
  readonly titleOf: (row: T) => string
  /** Why it can't be done to a row; undefined where it can. */
  readonly because: (row: T) => string | undefined
} & (EachAction<T> | TogetherAction<T>)

interface EachAction<T> {
  readonly act: (row: T, values: FormValues) => Promise<unknown>
  /** Takes back what was done to a row, where that can be. */
  readonly undo?: (row: T) => Promise<unknown>
}

interface TogetherAction<T> {
  /** To all rows by as few calls as it takes. */
  readonly actOnAll: (rows: readonly T[]) => Promise<DoneTogether<T>>
}

export interface DoneTogether<T> {
  /** Why it was not done to some. */
  readonly refused: ReadonlyMap<T, string>
  /** Takes back what was done to the others, where that can be. */
  readonly undo?: (() => Promise<unknown>) | undefined
}

export interface Selection {
  readonly keys: ReadonlySet<string>
  readonly clear: () => void
  readonly boxOf: (key: string) => ComponentChildren
  readonly boxOfAll: (keys: readonly string[]) => ComponentChildren
}

/** Which rows are chosen. A refresh keeps them; another page or filter starts anew. */
export function useSelection(of: string): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => setKeys(new Set()), [of])
  const idOfAll = useId()
  const box = (label: string, changed: readonly string[], id?: string) => (
    <input
      id={id}
      type="checkbox"
      aria-label={label}
      checked={changed.length > 0 && changed.every((key) => keys.has(key))}
      onChange={(event) => {
        const next = new Set(keys)
        for (const key of changed) {
          if (event.currentTarget.checked) next.add(key)
          else next.delete(key)
        }
        setKeys(next)
      }}
    />
  )
  return {
    keys,
    clear: () => setKeys(new Set()),
    boxOf: (key) => box('Выбрать строку', [key]),
    boxOfAll: (all) => (
      <span class="row">
        {box('Выбрать все строки', all, idOfAll)}
        <label for={idOfAll} class="of-cards">
          Выбрать все
        </label>
      </span>
    ),
  }
}

interface BulkProps<T> {
  readonly actions: readonly BulkAction<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  readonly selection: Selection
  readonly done: () => void
}

/**
 * What can be done to the chosen rows, at the foot of the window wherever the list has scrolled to. Each row is a call of its own: one
 * that is refused stops no other.
 */
export function Bulk<T>({ actions, rows, keyOf, selection, done }: BulkProps<T>) {
  const [failed, setFailed] = useState<readonly string[]>([])
  const [tried, setTried] = useState<number>()
  const chosen = rows.filter((row) => selection.keys.has(keyOf(row)))
  const place = useKeyboardPlace(chosen.length > 0)
  /** Returns the rows to which it was done. */
  const each = async (
    of: readonly T[],
    act: (row: T) => Promise<unknown>,
    titleOf: (row: T) => string,
  ) => {
    const refused = new Map<T, string>()
    for (const [index, row] of of.entries()) {
      setTried(index)
      await act(row).catch((error: unknown) => {
        refused.set(row, `${titleOf(row)}: ${asCallError(error).message}`)
      })
    }
    setTried(undefined)
    setFailed([...refused.values()])
    done()
    return of.filter((row) => !refused.has(row))
  }
  const perform = async (action: BulkAction<T>, able: readonly T[], values: FormValues) => {
    const { titleOf } = action
    if ('actOnAll' in action) {
      const { refused, undo } = await action.actOnAll(able)
      setFailed([...refused].map(([row, why]) => `${titleOf(row)}: ${why}`))
      selection.clear()
      done()
      const back = undo && (() => undo().finally(done))
      showToast(`Готово: ${able.length - refused.size} из ${able.length}`, back)
      return
    }
    const { act, undo } = action
    const acted = await each(able, (row) => act(row, values), titleOf)
    selection.clear()
    const back = undo && (() => each(acted, undo, titleOf))
    showToast(`Готово: ${acted.length} из ${able.length}`, acted.length > 0 ? back : undefined)
  }
  return (
    <div ref={place} class="bulk-place" tabIndex={-1}>
      {chosen.length > 0 && (
        <div class="row bulk">
          <span role="status">Выбрано: {number(chosen.length)}</span>
          {actions.map((action) => (
            <BulkButton
              key={action.label}
              action={action}
              chosen={chosen}
              tried={tried}
              perform={perform}
            />
          ))}
          <button type="button" class="plain" onClick={selection.clear}>
            Снять выбор
          </button>
        </div>
      )}
      {failed.length > 0 && (
        <div class="notice bad" role="alert">
          <p>Не получилось:</p>
          <ul>
            {failed.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

/** Where the keyboard goes when the button that it was on has gone with the choice. */
function useKeyboardPlace(isShown: boolean) {
  const place = useRef<HTMLDivElement>(null)
  const wasShown = useRef(isShown)
  useLayoutEffect(() => {
    const isLost = wasShown.current && !isShown && document.activeElement === document.body
    wasShown.current = isShown
    if (isLost) place.current?.focus({ preventScroll: true })
  }, [isShown])
  return place
}

interface BulkButtonProps<T> {
  readonly action: BulkAction<T>
  readonly chosen: readonly T[]
  readonly tried: number | undefined
  readonly perform: (
    action: BulkAction<T>,
    able: readonly T[],
    values: FormValues,
  ) => Promise<unknown>
}

function BulkButton<T>({ action, chosen, tried, perform }: BulkButtonProps<T>) {
  const { label, question, consequence, fields } = action
  const able = chosen.filter((row) => action.because(row) === undefined)
  const [first] = chosen
  const because = able.length === 0 && first !== undefined ? action.because(first) : undefined
  if (question === undefined) {
    const values = new FormValues(document.createElement('form'))
    const act = () => perform(action, able, values)
    return <ActionButton primary label={label} because={because} act={act} />
  }
  return (
    <ConfirmButton
      primary
      label={label}
      question={question(able.length)}
      consequence={
        tried === undefined ? consequence : <BulkProgress tried={tried} of={able.length} />
      }
      because={because}
      act={(values) => perform(action, able, values)}
    >
      {fields}
    </ConfirmButton>
  )
}

interface BulkProgressProps {
  readonly tried: number
  readonly of: number
}

function BulkProgress({ tried, of }: BulkProgressProps) {
  return (
    <span class="row" role="status">
      <progress max={of} value={tried} aria-label="Сколько сделано" />
      Сделано {number(tried)} из {number(of)}
    </span>
  )
}
