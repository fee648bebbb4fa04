/**
 * Russian tax numbers (INN): 10 digits of a company, 12 of a person. The last digit of a company's number, and the
 * last two of a person's, are check digits over the digits before them.
 */

const weights = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8] as const

/** Whether the text has the length and the check digits of an INN. */
export function isInn(text: string): boolean {
  if (/^\d{10}$/.test(text)) return hasCheckDigit(text, 9)
  return /^\d{12}$/.test(text) && hasCheckDigit(text, 10) && hasCheckDigit(text, 11)
}

/** What is wrong with the text of an INN; undefined for a right one. */
export function innProblemOf(text: string): string | undefined {
  if (isInn(text)) return undefined
  return /^(?:\d{10}|\d{12})$/.test(text)
    ? 'контрольные цифры не сходятся: сверьте номер с документом'
    : '10 или 12 цифр'
}

/** Whether the digit at `at` is the check digit of those before it. */
function hasCheckDigit(digits: string, at: number): boolean {
  const used = weights.slice(-at)
  const sum = used.reduce((total, weight, index) => total + weight * Number(digits[index]), 0)
  return (sum % 11) % 10 === Number(digits[at])
}
