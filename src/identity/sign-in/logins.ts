import Type from 'typebox'
import { invalidField } from '../../platform/kernel/errors.ts'

const loginForm = /^[a-z0-9][a-z0-9._@-]{1,63}$/

/** A login in a body, so that a refusal names it together with the other wrong fields. */
export function loginField(description: string) {
  return Type.String({
    minLength: 2,
    maxLength: 64,
    pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]*$',
    title: 'из латинских букв, цифр, точки, дефиса, подчёркивания и @; первой — буква или цифра',
    examples: ['ivanova'],
    description,
  })
}

/** A login in its normal form. Throws validation_error. */
export function loginOf(text: string): string {
  const login = text.toLowerCase()
  if (loginForm.test(login)) return login
  throw invalidField(
    'login',
    'от 2 до 64 знаков: латинские буквы, цифры, точка, дефис, подчёркивание и @',
  )
}
