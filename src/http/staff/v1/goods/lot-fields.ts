import { expiryRule, type Lot, readExpiry } from '../../../../platform/kernel/codes/lot.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'

interface LotFields {
  readonly expires_on?: string | undefined
  readonly lot_number?: string | undefined
}

/** The lot that a body names, in its item `at`; undefined where it names none. Throws validation_error. */
export function lotIn(
  { expires_on: text, lot_number: number = '' }: LotFields,
  at = '',
): Lot | undefined {
  if (text === undefined) {
    if (number.trim() === '') return undefined
    throw invalidField(`${at}expires_on`, 'нужен вместе с номером партии: без срока партии нет')
  }
  const expiresOn = readExpiry(text)
  if (expiresOn === undefined) throw invalidField(`${at}expires_on`, expiryRule)
  return { expiresOn, number: number.trim() }
}
