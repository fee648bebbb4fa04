import { exactMoment, moment } from '../words/format.ts'

/** A moment as people say it, exact where one points at it. */
export function Moment({
  at,
  none = '—',
}: {
  readonly at: string | null | undefined
  readonly none?: string
}) {
  if (!at) return <span class="quiet">{none}</span>
  return (
    <time dateTime={at} title={exactMoment(at)}>
      {moment(at)}
    </time>
  )
}

const days = new Intl.DateTimeFormat('ru-RU', {
  timeZone: 'Europe/Moscow',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** The day of a moment, in Moscow. */
export function DayOf({ at }: { readonly at: string | null }) {
  if (at === null) return <>—</>
  return (
    <time dateTime={at} title={exactMoment(at)}>
      {days.format(new Date(at))}
    </time>
  )
}
