import type { RecordedCall, StaffCabinet } from '../../api/staff-calls.ts'
import { RawJson } from '../../ui/raw-json.tsx'
import { wordsOfCall } from './call-words.ts'

interface RawCallProps {
  readonly marketplace: StaffCabinet['marketplace']
  readonly call: RecordedCall
}

/** One call: what it is for, and opened what was asked and answered. */
export function RawCall({ marketplace, call }: RawCallProps) {
  const { method, path, query, request_body: asked, answer_body: answered, headers } = call
  const words = wordsOfCall(marketplace, method, path)
  const address = (
    <code>
      {method} {path}
    </code>
  )
  return (
    <details>
      <summary>{words ?? address}</summary>
      {words !== undefined && <p class="small">{address}</p>}
      {Object.keys(query).length > 0 && <Part title="Параметры" value={query} />}
      <Part title="Запрос" value={asked} note={call.request_note} />
      <Part title="Ответ" value={answered} note={call.answer_note} />
      {Object.keys(headers).length > 0 && <Part title="Заголовки ответа" value={headers} />}
    </details>
  )
}

const notes = {
  shortened: 'длинные списки укорочены',
  omitted: 'не хранится: это файл или слишком много данных',
} as const

interface PartProps {
  readonly title: string
  readonly value: unknown
  readonly note?: keyof typeof notes | undefined
}

function Part({ title, value, note }: PartProps) {
  if (value === null && note === undefined) return <p class="small quiet">{title}: без тела</p>
  return (
    <>
      <p class="small">
        <strong>{title}</strong>
        {note !== undefined && ` · ${notes[note]}`}
      </p>
      {value !== null && <RawJson name={title} value={value} />}
    </>
  )
}
