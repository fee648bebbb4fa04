import type { StatusTone } from '../words/statuses.ts'

export type Tone = StatusTone

const shapes: Readonly<Record<Tone, string>> = {
  good: '●',
  now: '◐',
  warn: '▲',
  bad: '■',
  quiet: '○',
}

/** A state by word, shape and colour. */
export function Badge({ tone, word }: { readonly tone: Tone; readonly word: string }) {
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{shapes[tone]}</span> {word}
    </span>
  )
}
