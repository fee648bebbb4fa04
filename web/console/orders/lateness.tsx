import type { StaffOrder } from '../../api/staff-calls.ts'
import { Moment } from '../../ui/moment.tsx'

type Cost = NonNullable<StaffOrder['lateness_costs']>[number]

const words: Readonly<Record<string, string>> = { commission: 'доплата', discount: 'скидка' }

/** What a hand-over costs by the time of it; the last step has no end. */
export function LatenessCosts({ costs }: { readonly costs: readonly Cost[] }) {
  return (
    <ul class="plain">
      {costs.map((cost) => (
        <li key={cost.until}>
          {cost.until === null ? (
            'Дальше'
          ) : (
            <>
              до <Moment at={cost.until} />
            </>
          )}
          : {costWords(cost)}
        </li>
      ))}
    </ul>
  )
}

function costWords({ tariff, percent, amount, currency }: Cost): string {
  if (tariff === 'no_discount') return 'без доплаты'
  const sum = amount === undefined ? '' : `${amount} ${currency === 'RUB' ? '₽' : (currency ?? '')}`
  const share = percent === undefined ? '' : `${percent} %`
  return [words[tariff] ?? tariff, sum.trim(), share && sum ? `(${share})` : share]
    .filter(Boolean)
    .join(' ')
}
