import { useState } from 'preact/hooks'
import { expiryRule, type Lot, readExpiry } from '../../../src/platform/kernel/codes/lot.ts'
import { Field } from '../../ui/forms/field.tsx'
import { Choice } from './choice.tsx'

interface LotFormProps {
  readonly item: { readonly name: string }
  /** What the units are: «Принять», «Посчитать». */
  readonly verb: string
  readonly onGiven: (lot: Lot | undefined) => void
  readonly onClose: () => void
}

/** The expiry date of the unit that was scanned; those after it have the same until somebody says otherwise. */
export function LotForm({ item, verb, onGiven, onClose }: LotFormProps) {
  const [problem, setProblem] = useState<string>()
  return (
    <Choice title={item.name} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget)
          const expiresOn = readExpiry(String(given.get('expires_on')))
          if (expiresOn === undefined) setProblem(`Срок годности — ${expiryRule}`)
          else onGiven({ expiresOn, number: String(given.get('lot_number')).trim() })
        }}
      >
        <Field
          name="expires_on"
          label="Срок годности"
          hint="Как на упаковке: 31.12.2027, 311227 или 12.2027"
          inputmode="decimal"
          autocomplete="off"
          maxlength={20}
          problem={problem}
          required
          autofocus
        />
        <Field
          name="lot_number"
          label="Номер партии"
          hint="Можно не заполнять"
          autocomplete="off"
          maxlength={20}
        />
        <button type="submit" class="primary">
          {verb} с этим сроком
        </button>
        <button type="button" class="wide" onClick={() => onGiven(undefined)}>
          Срока на упаковке нет
        </button>
      </form>
    </Choice>
  )
}
