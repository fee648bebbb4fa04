import { useState } from 'preact/hooks'
import { QtyForm } from '../scan/qty-form.tsx'

interface QuantityProps {
  readonly item: { readonly name: string }
  /** What the button says. */
  readonly label?: string
  readonly onGiven: (qty: number) => void
  /** The next scan: the question is answered with what stands in it. */
  readonly onNext: (code: string) => void
}

/** Many equal units at once: one is scanned, the others are counted by hand. */
export function Quantity({ item, label, onGiven, onNext }: QuantityProps) {
  const [isOpen, setOpen] = useState(false)
  const closeThen =
    <T,>(act: (given: T) => void) =>
    (given: T) => {
      setOpen(false)
      act(given)
    }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {label ?? 'Добавить ещё несколько'}
      </button>
      {isOpen && (
        <QtyForm
          title={item.name}
          label="Сколько ещё штук, кроме отсканированной"
          min={1}
          max={100_000}
          onGiven={closeThen(onGiven)}
          onNext={closeThen(onNext)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
