import type { PickingTask } from '../../api/staff-calls.ts'
import { Thumbnail } from '../../ui/picture.tsx'
import { number, untilDeadline } from '../../words/format.ts'
import { dateText } from '../../words/lots.ts'
import { Place } from '../scan/place.tsx'
import { Decision } from './decision.tsx'
import { type PickingLine, placeOf, wantedLines } from './task.ts'

interface NextUnitProps {
  readonly task: PickingTask
  readonly line: PickingLine | undefined
}

const shownMax = 30

/** Where to go and what to take there, and what comes after it. */
export function NextUnit({ task, line }: NextUnitProps) {
  if (task.status === 'DONE') return <p class="sentence">Отгрузка закрыта: собирать нечего</p>
  if (line === undefined) return <p class="sentence">Всё собрано</p>
  const expiresOn = line.from[0]?.expires_on
  const others = wantedLines(task).filter((each) => each !== line)
  return (
    <>
      <Place name={placeOf(line)} />
      <p class="goods">
        <Thumbnail src={line.picture} name={line.name} />
        {line.name} <b>× {number(line.qty - line.picked)}</b>
      </p>
      {line.set !== undefined && <p>Для набора «{line.set.name}»</p>}
      <p class="small quiet">
        {line.barcode}
        {line.article !== undefined && ` · ${line.article}`} · заказ {line.order_external_id}
        {line.deadline !== null && ` · ${untilDeadline(line.deadline)}`}
      </p>
      {expiresOn !== undefined && <p class="notice">Берите со сроком до {dateText(expiresOn)}</p>}
      {line.honest_mark && <p class="notice warn">Сканируйте код маркировки (Data Matrix)</p>}
      <Decision task={task} line={line} />
      {line.comment !== undefined && <p class="notice">{line.comment}</p>}
      {line.notes.map((note) => (
        <p key={note} class="notice warn">
          {note}
        </p>
      ))}
      {others.length > 0 && (
        <ol class="places" aria-label="Дальше">
          {others.slice(0, shownMax).map((each) => (
            <li key={`${each.order_id}${each.barcode}${each.set?.barcode}`}>
              <b>{placeOf(each)}</b>
              <Thumbnail src={each.picture} name={each.name} />
              <span>
                {each.name}
                {each.set !== undefined && `, набор «${each.set.name}»`}
              </span>
              <span class="qty">{number(each.qty - each.picked)}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
