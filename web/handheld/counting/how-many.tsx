import { useRef } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { Field } from '../../ui/field.tsx'
import { number } from '../../words/format.ts'
import { askLookup } from '../scan/ask-lookup.ts'
import { Choice } from '../scan/choice.tsx'
import { giveThenTake } from '../scan/give-then-take.ts'
import type { CountedGoods } from './count.ts'

interface HowManyProps {
  readonly goods: CountedGoods
  /** Whose goods are counted. */
  readonly clientId: string
  /** Counted here before: what is typed is added. */
  readonly before: number
  readonly onGiven: (qty: number) => void
  /** The next scan: the question is answered with what stands in it. */
  readonly onNext: (code: string) => void
  readonly onClose: () => void
}

/** The worker has counted by eye, and types the number. */
export function HowMany({ goods, clientId, before, onGiven, onNext, onClose }: HowManyProps) {
  const form = useRef<HTMLFormElement>(null)
  const onScan = (code: string) => giveThenTake(form.current, () => onNext(code))
  const known = useAnswer(goods.barcode, () => askLookup(goods.barcode))
  const own = known.data?.find((match) => match.kind === 'goods' && match.client_id === clientId)
  const name = own?.name ?? goods.name
  return (
    <Choice title={name} onScan={onScan} onClose={onClose}>
      {before > 0 && (
        <p class="notice warn">Здесь уже посчитано: {number(before)}. Число прибавится к ним.</p>
      )}
      <form
        ref={form}
        class="stack"
        data-typed="or-scanned"
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
