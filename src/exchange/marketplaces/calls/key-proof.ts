import { invalidField } from '../../../platform/kernel/errors.ts'
import { isFailure, type Meaning } from './failure.ts'

/** What one call proves of a key. */
export type KeyRefusal = Extract<Meaning, 'rights' | 'keyType' | 'addresses'> | 'key'

export interface KeyProof<T> {
  readonly isProved: boolean
  readonly answer?: T
  /** The marketplace clearly refuses the key. */
  readonly refusal?: KeyRefusal
}

/** A call that fails for any other reason than the key proves nothing. */
export async function proofOf<T>(call: Promise<T>): Promise<KeyProof<T>> {
  try {
    return { isProved: true, answer: await call }
  } catch (error) {
    if (!isFailure(error, 'credentials')) return { isProved: false }
    const { meaning } = error
    const known = meaning === 'rights' || meaning === 'keyType' || meaning === 'addresses'
    return { isProved: false, refusal: known ? meaning : 'key' }
  }
}

/** A refusal that names the field of the credentials. */
export function refuseKey(field: 'token' | 'client_id' | 'api_key', why: string): Error {
  return invalidField(`credentials.${field}`, why)
}
