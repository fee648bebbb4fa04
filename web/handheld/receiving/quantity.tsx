import { useRef, useState } from 'preact/hooks'
import { Field } from '../../ui/field.tsx'
import { Choice } from '../scan/choice.tsx'
import { giveThenTake } from '../scan/give-then-take.ts'

interface QuantityProps {
  readonly item: { readonly name: string }
  /** What the button says. */
  readonly label?: string
  readonly onGiven: (qty: number) => void
  /** The next scan: the question is answered with what stands in it. */
  readonly onNext: (code: string) => void
}

/** Many equal units at once: one is scanned, the others are counted by hand. */
export function Quantity({
  item,
  label = 'Добавить ещё несколько',
  onGiven,
  onNext,
}: QuantityProps) {
  const [isOpen, setOpen] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const onScan = (code: string) =>
    giveThenTake(form.current, () => {
      setOpen(false)
      onNext(code)
    })
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Choice title={item.name} onScan={onScan} onClose={() => setOpen(false)}>
          <form
            ref={form}
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
