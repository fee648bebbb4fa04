/** Money is kept in kopecks and shown as a decimal of roubles with a point. */
export function roubles(kopecks: number): string {
  const whole = Math.abs(kopecks)
  const part = String(whole % 100).padStart(2, '0')
  return `${kopecks < 0 ? '-' : ''}${Math.floor(whole / 100)}.${part}`
}

/**
 * A price that callers give, and a sum, as patterns of JSON schema. Below a million of roubles and a million of units
 * price × quantity stays exact.
 */
export const moneyPattern = '^\\d{1,6}([.,]\\d{1,2})?$'
export const sumPattern = '^\\d{1,9}([.,]\\d{1,2})?$'

/** Kopecks of a text that has one of these forms. */
export function kopecksOf(text: string): number {
  const [whole = '', part = ''] = text.split(/[.,]/)
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** A quantity without zeros at its end: three places at most. */
export function quantityText(value: string): string {
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value
}
