import { useAnswer } from '../../api/use-answer.ts'
import { nounFor, number, plural } from '../../words/format.ts'
import { account } from '../api.ts'
import { Badge, Loaded } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'

const refreshMs = 300_000

const rowsOf = (lowDays: number) =>
  [
    { state: 'out', tone: 'bad', words: 'нет в наличии, а заказывают' },
    {
      state: 'low',
      tone: 'warn',
      words: `хватит меньше чем на ${plural(lowDays, 'день', 'дня', 'дней')}`,
    },
    { state: 'idle', tone: 'plain', words: 'не заказывали четыре недели' },
  ] as const

/** Which stock a seller acts on: what ran out, what runs out soon, what nobody buys. */
export function StockToActOn() {
  const { low_days } = useSession().session
  const answer = useAnswer(
    `cover ${low_days}`,
    (signal) => account('GET /cover/summary', { query: { low_days }, signal }),
    { refreshMs },
  )
  return (
    <section class="panel stack" aria-labelledby="cover">
      <h2 id="cover">Запас</h2>
      <Loaded answer={answer}>
        {(goods) => {
          const shown = rowsOf(low_days).filter(({ state }) => goods[state] > 0)
          if (shown.length === 0) {
            return <p class="quiet">Всего хватает: ничего не заканчивается и не залежалось.</p>
          }
          return (
            <ul class="needs">
              {shown.map(({ state, tone, words }) => (
                <li key={state}>
                  <Badge tone={tone}>
                    {number(goods[state])} {nounFor(goods[state], 'товар', 'товара', 'товаров')}
                  </Badge>
                  <a href={`${paths.cover}?state=${state}`}>{words}</a>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      <p>
        <a href={paths.cover}>Запас в днях по всем товарам</a>
      </p>
    </section>
  )
}
