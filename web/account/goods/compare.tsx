import { number } from '../../words/format.ts'

/** What a figure was in the period before, and by how much it changed. */
export function Compared({
  now,
  before,
}: {
  readonly now: number
  readonly before: number | undefined
}) {
  // A figure that was 0 before is not compared: before a new client's first month there was nothing.
  if (before === undefined || (before === 0 && now > 0)) return null
  const change = now - before
  const sign = change > 0 ? '+' : '−'
  const percent =
    before === 0 || Math.abs(change) > 10 * before
      ? ''
      : ` (${sign}${number(Math.round((Math.abs(change) / before) * 100))} %)`
  return (
    <span class="small quiet">
      {change === 0 ? 'как и прежде' : `было ${number(before)}${percent}`}
    </span>
  )
}
