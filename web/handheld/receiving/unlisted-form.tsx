import { useState } from 'preact/hooks'
import type { LookupMatch } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Field } from '../../ui/forms/field.tsx'
import { Choice } from '../scan/choice.tsx'

interface UnlistedFormProps {
  readonly barcode: string
  readonly clientId: string | undefined
  readonly onGiven: (name: string, own: LookupMatch | undefined) => void
  readonly onClose: () => void
}

/** Goods that the document does not name: a second look, and a name if the warehouse knows none. */
export function UnlistedForm({ barcode, clientId, onGiven, onClose }: UnlistedFormProps) {
  const known = useAnswer(barcode, async (signal) => {
    const { matches } = await staff('GET /lookup', { query: { code: barcode }, signal })
    return matches.filter(({ kind }) => kind === 'goods')
  })
  const own = known.data?.find((match) => match.client_id === clientId)
  const foreign = known.data?.find((match) => match.client_id !== clientId)
  const [typed, setTyped] = useState<string>()
  const name = typed ?? own?.name ?? ''
  // The warehouse may know the name; a dead Wi-Fi must not keep anybody from typing it.
  const isAsking = known.loading && typed === undefined
  return (
    <Choice title="Этого товара нет в приёмке" onClose={onClose}>
      <p class="code">{barcode}</p>
      {own === undefined && foreign !== undefined && (
        <p class="notice bad">
          «{foreign.name}» — товар другого клиента, {foreign.client_name}. Отложите его и нажмите
          «Отмена». Если он всё же из этой поставки, введите название.
        </p>
      )}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          onGiven(name, own)
        }}
      >
        <Field
          name="name"
          label="Название"
          hint="Как на упаковке. Товар будет под вопросом, пока не решит менеджер."
          value={name}
          onInput={(event) => setTyped(event.currentTarget.value)}
          maxlength={500}
          autocomplete="off"
          required
        />
        <button type="submit" class="primary" disabled={isAsking}>
          {isAsking ? 'Ищем название…' : 'Принять сверх документа'}
        </button>
      </form>
    </Choice>
  )
}
