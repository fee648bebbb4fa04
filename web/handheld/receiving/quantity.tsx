import { useState } from 'preact/hooks'
import { Field } from '../../ui/field.tsx'
import { Choice } from '../scan/choice.tsx'

interface QuantityProps {
  readonly item: { readonly name: string }
  /** What the button says. */
  readonly label?: string
  readonly onGiven: (qty: number) => void
}

/** Many equal units at once: one is scanned, the others are counted by hand. */
export function Quantity({ item, label = 'Добавить ещё несколько', onGiven }: QuantityProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Choice title={item.name} onClose={() => setOpen(false)}>
          <form
            class="stack"
            data-typed="or-scanned"
            onSubmit={(event) => {
              event.preventDefault()
              setOpen(false)
              onGiven(Number(new FormData(event.currentTarget).get('qty')))
            }}
          >
            <Field
              name="qty"
              label="Сколько ещё штук, кроме отсканированной"
              type="number"
              inputmode="numeric"
              min={1}
              max={100_000}
              required
              autofocus
            />
            <button type="submit" class="primary">
              Посчитать
            </button>
          </form>
        </Choice>
      )}
    </>
  )
}
