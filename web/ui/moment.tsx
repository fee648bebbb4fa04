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
