import type { FiguresNow } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Bars } from '../../ui/figures/bars.tsx'
import { Chart, type Slot, soFar } from '../../ui/figures/chart.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { hourOf, number, plural } from '../../words/format.ts'
import { paths } from '../paths.ts'

/** What the warehouse has to clear up: goods in question by age, and webhooks. */
export function Now() {
  const { data, error, reload } = useAnswer(
    'figures now',
    (signal) => staff('GET /figures/now', { signal }),
    { refreshMs: 60_000 },
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  return (
    <>
      <div class="pictures">
        <section class="panel stack">
          <h2>Под вопросом сейчас</h2>
          <Bars
            name="Единиц под вопросом по возрасту"
            bars={data.in_question.map((age) => ({ label: ageWords(age), value: age.units }))}
          />
          <p>
            <a href={paths.today}>Какие это товары и чьи</a>
          </p>
        </section>
        <Webhooks webhooks={data.webhooks} />
      </div>
      <div class="pictures">
        {hourly.map(({ title, of }) => (
          <div key={of} class="panel">
            <Chart title={title} slots={slotsOf(data.webhook_hours, of)} />
          </div>
        ))}
      </div>
    </>
  )
}

const hourly = [
  { title: 'Доставлено вебхуков за сутки', of: 'delivered' },
  { title: 'Не доставлено вебхуков за сутки', of: 'undelivered' },
] as const

/** The last 24 hours beside the same ones of the day before. */
function slotsOf(hours: FiguresNow['webhook_hours'], of: (typeof hourly)[number]['of']): Slot[] {
  return hours.slice(24).map((slot, index) => ({
    label: hourOf(slot.at),
    ...soFar(slot.at, 'hour', slot[of]),
    before: hours[index]?.[of] ?? 0,
  }))
}

function ageWords({ days_from: from, days_to: to }: FiguresNow['in_question'][number]): string {
  if (to === undefined) return `${plural(from, 'день', 'дня', 'дней')} и дольше`
  return from === 0 ? 'меньше суток' : `от ${number(from)} до ${plural(to, 'дня', 'дней', 'дней')}`
}

function Webhooks({ webhooks }: Pick<FiguresNow, 'webhooks'>) {
  const { healthy, failing, disabled, delivered, pending, failed } = webhooks
  return (
    <section class="panel stack">
      <h2>Вебхуки</h2>
      <Bars
        name="Подписки продавцов сейчас"
        bars={[
          { label: 'Подписки работают', value: healthy },
          { label: 'Последняя попытка не удалась', value: failing },
          { label: 'Отключены', value: disabled },
        ]}
      />
      <Bars
        name="Доставки за сутки"
        bars={[
          { label: 'Доставлено за сутки', value: delivered },
          { label: 'Ждут', value: pending },
          { label: 'Не доставлено', value: failed },
        ]}
      />
    </section>
  )
}
