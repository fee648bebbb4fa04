import { gtinOf } from '../../src/platform/kernel/codes/gs1.ts'

/** An EAN-13 with its check digit, from 12 digits. */
export function ean13(body: string): string {
  for (let digit = 0; digit < 10; digit++) {
    if (gtinOf(`${body}${digit}`) !== undefined) return `${body}${digit}`
  }
  throw new RangeError(body)
}

/** The marking code of one unit, as a scanner sends it. */
export function markingCode(barcode: string, unit: number): string {
  const serial = `u${String(unit).padStart(12, '0')}`
  return `01${gtinOf(barcode)}21${serial}\u001d91EE07\u001d92${'A'.repeat(44)}`
}
