import { readMarkingCode } from '../../../src/platform/kernel/codes/marking-code.ts'
import type { Stray, WrongItem } from './verdict.ts'

/** Something was scanned that the task does not have. Its code is said at once, its name when the warehouse tells it. */
export function strayItem(stray: Stray): WrongItem {
  const marking = readMarkingCode(stray.code)
  const code = marking.ok ? `GTIN ${marking.gtin}` : stray.code
  return { kind: 'wrong', sentence: straySentence(code, stray), stray }
}

export function straySentence(name: string, { reason, action }: Stray): string {
  return action === undefined ? `${name}: ${reason}` : `${name}: ${reason}. ${action}`
}
