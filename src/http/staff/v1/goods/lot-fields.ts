import { invalidField } from '../../../../platform/kernel/errors.ts'
import { expiryRule, type Lot, readExpiry } from '../../../../platform/kernel/lot.ts'

interface LotFields {
  readonly expires_on?: string | undefined
  readonly lot_number?: string | undefined
}

/** The lot that a body names; undefined where it names none. Throws validation_error. */
export function lotIn({ expires_on: text, lot_number: number = '' }: LotFields): Lot | undefined {
  if (text === undefined) {
    if (number.trim() === '') return undefined
    throw invalidField('expires_on', 'нужен вместе с номером партии: без срока партии нет')
  }
  const expiresOn = readExpiry(text)
  if (expiresOn === undefined) throw invalidField('expires_on', expiryRule)
  return { expiresOn, number: number.trim() }
}
