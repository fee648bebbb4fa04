import { useAnswer } from '../../api/use-answer.ts'
import { number } from '../../words/format.ts'
import { askLookup } from '../scan/ask-lookup.ts'
import { QtyForm } from '../scan/qty-form.tsx'
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
export function HowMany({ goods, clientId, before, ...asked }: HowManyProps) {
  const known = useAnswer(goods.barcode, () => askLookup(goods.barcode))
  const own = known.data?.find((match) => match.kind === 'goods' && match.client_id === clientId)
  return (
    <QtyForm
      title={own?.name ?? goods.name}
      label="Сколько штук"
      hint="0, если здесь их нет"
      min={0}
      max={1_000_000}
      {...asked}
    >
      {before > 0 && (
        <p class="notice warn">Здесь уже посчитано: {number(before)}. Число прибавится к ним.</p>
      )}
    </QtyForm>
  )
}
