import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { plural } from '../../words/format.ts'
import { pathOf } from '../paths.ts'

/** What the marketplace says of the codes of picked units, and what would stop the closing. Nothing where no unit has codes. */
export function MarkFigures({ taskId }: { readonly taskId: string }) {
  const { data } = useAnswer(
    `marks of ${taskId}`,
    (signal) => staff('GET /picking-tasks/{id}', { path: { id: taskId }, signal }),
    { refreshMs: 10_000 },
  )
  const { proven = 0, waiting = 0, refused = 0 } = data?.marks ?? {}
  if (proven + waiting + refused === 0) return null
  return (
    <section class="panel stack" aria-label="Коды единиц">
      <h2>Коды единиц</h2>
      <p>
        Приняты: {proven}. Ждут ответа маркетплейса: {waiting}. Не приняты: {refused}.
      </p>
      {refused > 0 && (
        <p class="notice bad">
          Отгрузку не закрыть, пока в {plural(refused, 'посылке', 'посылках', 'посылках')} нет
          другой единицы: соберите её или уберите заказ и добавьте в следующую отгрузку.
        </p>
      )}
      <ul>
        {data?.refused_marks?.map(({ order_id: id, order_external_id: order, name, reason }, n) => (
          <li key={`${id}${n}`}>
            <a href={pathOf('order', id)}>{order}</a>, «{name}»: {reason}
          </li>
        ))}
      </ul>
    </section>
  )
}
