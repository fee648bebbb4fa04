import type { Shift, Shifts } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Bars } from '../../ui/figures/bars.tsx'
import { WaitingFor } from '../../ui/forms/refusal.tsx'
import { picksPerHour } from './picks.ts'

interface WorkersProps {
  readonly before: string
  readonly from: string
  readonly to: string
}

const shownMax = 12

/** Units through the hands of each worker, beside the period before. */
export function Workers({ before, from, to }: WorkersProps) {
  const answer = useAnswer(
    `workers ${from} ${to}`,
    (signal) => {
      const ask = (query: { from: string; to: string }) => staff('GET /shifts', { query, signal })
      return Promise.all([ask({ from, to }), ask({ from: before, to: from })])
    },
    { refreshMs: 60_000 },
  )
  if (answer.data === undefined) return <WaitingFor answer={answer} />
  const [now, earlier] = answer.data
  return (
    <div class="pictures">
      <Picture title="Единиц через руки сотрудников" of={handled} now={now} earlier={earlier} />
      <Picture title="Собрано единиц в час" of={picksPerHour} now={now} earlier={earlier} />
    </div>
  )
}

interface PictureProps {
  readonly title: string
  readonly of: (shift: Shift) => number
  readonly now: Shifts
  readonly earlier: Shifts
}

/** Those who have something to show in either period, the best first. */
function Picture({ title, of, now, earlier }: PictureProps) {
  const was = new Map(earlier.items.map((shift) => [shift.user_id, of(shift)]))
  const bars = now.items
    .map((shift) => ({
      label: shift.name,
      value: of(shift),
      before: was.get(shift.user_id) ?? 0,
    }))
    .filter(({ value, before }) => value > 0 || before > 0)
    .sort((one, other) => other.value - one.value)
  return (
    <section class="panel stack">
      <h2>{title}</h2>
      {bars.length === 0 ? (
        <p class="quiet">За период ничего.</p>
      ) : (
        <Bars name={title} bars={bars.slice(0, shownMax)} />
      )}
    </section>
  )
}

function handled({ scanned_units: scanned, picks, checks, returns }: Shift): number {
  return scanned + picks + checks + returns
}
