/** Money is kept in kopecks and shown as a decimal of roubles with a point. */
export function roubles(kopecks: number): string {
  const whole = Math.abs(kopecks)
  const part = String(whole % 100).padStart(2, '0')
  return `${kopecks < 0 ? '-' : ''}${Math.floor(whole / 100)}.${part}`
}

/** What callers may give for money, as a pattern of JSON schema. */
export const moneyPattern = '^\\d{1,10}([.,]\\d{1,2})?$'

/** Kopecks of a text that has the form of `moneyPattern`. */
export function kopecksOf(text: string): number {
  const [whole = '', part = ''] = text.split(/[.,]/)
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** A quantity without zeros at its end: three places at most. */
export function quantityText(value: string): string {
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value
}
