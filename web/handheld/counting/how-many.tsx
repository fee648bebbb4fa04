import { Field } from '../../ui/field.tsx'
import { number } from '../../words/format.ts'
import { Choice } from '../scan/choice.tsx'

interface HowManyProps {
  readonly name: string
  /** Counted here before: what is typed is added. */
  readonly before: number
  readonly onGiven: (qty: number) => void
  readonly onClose: () => void
}

/** The worker has counted by eye, and types the number. */
export function HowMany({ name, before, onGiven, onClose }: HowManyProps) {
  return (
    <Choice title={name} onClose={onClose}>
      {before > 0 && (
        <p class="notice warn">Здесь уже посчитано: {number(before)}. Число прибавится к ним.</p>
      )}
      <form
        class="stack"
        data-typed
        onSubmit={(event) => {
          event.preventDefault()
          onGiven(Number(new FormData(event.currentTarget).get('qty')))
        }}
      >
        <Field
          name="qty"
          label="Сколько штук"
          hint="0, если здесь их нет"
          type="number"
          inputmode="numeric"
          min={0}
          max={1_000_000}
          required
          autofocus
        />
        <button type="submit" class="primary">
          Посчитать
        </button>
      </form>
    </Choice>
  )
}
