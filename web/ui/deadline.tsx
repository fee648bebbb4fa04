import { exactMoment, untilDeadline } from '../words/format.ts'

const soonMs = 2 * 3_600_000

/** How long is left, and by how much it is late. */
export function Deadline({ at }: { readonly at: string | null | undefined }) {
  if (!at) return <span class="quiet nowrap">без срока</span>
  const left = Date.parse(at) - Date.now()
  const tone = left < 0 ? 'bad' : left < soonMs ? 'warn' : 'quiet'
  return (
    <time dateTime={at} title={exactMoment(at)} class={`badge ${tone}`}>
      {untilDeadline(at)}
    </time>
  )
}
