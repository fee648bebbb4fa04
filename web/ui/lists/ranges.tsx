import { useState } from 'preact/hooks'
import { useAddress } from '../address.ts'
import { lastDayOf, lastDays, type Period, usualPeriods } from '../days.ts'
import { DateFilter, dayAfter } from './filters.tsx'

/** The period that the address names; without one the last `usual` days. */
export function usePeriod(usual: number): Period {
  const { query } = useAddress()
  const last = lastDays(usual)
  return { from: query.from ?? last.from, to: dayAfter(query.to) ?? last.to }
}

/** Whether the address asks for the period before beside each figure: it does where it does not refuse it. */
export function useIsCompared(): boolean {
  return useAddress().query.compare !== 'no'
}

interface RangesProps {
  /** The days that are shown where the address names none. */
  readonly usual: number
  /** Whether the period before can be left out. */
  readonly canCompare?: boolean
}

/** Usual periods, one press each, and days of one's own. */
export function Ranges({ usual, canCompare = false }: RangesProps) {
  const { hrefWith, go } = useAddress()
  const shown = usePeriod(usual)
  const isCompared = useIsCompared()
  const [pressed, setPressed] = useState<string>()
  const periods = usualPeriods()
  // On some days two of them are the same days, such as «30 дней» and «Этот месяц».
  const fitting = periods.filter(({ from, to }) => from === shown.from && to === shown.to)
  const marked = fitting.find(({ title }) => title === pressed) ?? fitting[0]
  return (
    <search class="ranges">
      <nav class="row" aria-label="Период">
        {periods.map((period) => (
          <a
            key={period.title}
            class="button"
            href={hrefWith({ from: period.from, to: lastDayOf(period), cursor: undefined })}
            aria-current={period === marked ? 'true' : undefined}
            onClick={() => setPressed(period.title)}
          >
            {period.title}
          </a>
        ))}
      </nav>
      <div class="filters">
        <DateFilter name="from" label="С" value={shown.from} />
        <DateFilter name="to" label="по" value={lastDayOf(shown)} />
        {canCompare && (
          <label class="check">
            <input
              type="checkbox"
              checked={isCompared}
              onChange={() => go({ compare: isCompared ? 'no' : undefined }, true)}
            />{' '}
            Сравнить с прошлым периодом
          </label>
        )}
      </div>
    </search>
  )
}
