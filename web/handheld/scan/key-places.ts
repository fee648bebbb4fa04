/**
 * What a scanner means by a key. It presses the keys of an American keyboard, so the place of a key counts, and a
 * Russian layout does no harm.
 */

const marks: Readonly<Record<string, string>> = {
  Space: '  ',
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Backquote: '`~',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  NumpadAdd: '++',
  NumpadSubtract: '--',
  NumpadMultiply: '**',
  NumpadDivide: '//',
  NumpadDecimal: '..',
}
const shiftedDigits = ')!@#$%^&*('
const gs = '\u001d'

export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly getModifierState: (name: string) => boolean
}

/** The character that the key stands for; undefined for keys without one, such as arrows. */
export function characterOf(press: KeyPress): string | undefined {
  const { key, code, ctrlKey } = press
  if (key === gs || key === 'F8') return gs
  if (ctrlKey) return code === 'BracketRight' ? gs : undefined
  const pair = pairAt(code)
  if (pair === undefined) return key.length === 1 ? key : undefined
  const [plain = '', shifted = ''] = pair
  if (key === plain || key === shifted) return key
  const isLetter = /^Key/.test(code)
  const isShifted = press.shiftKey !== (isLetter && press.getModifierState('CapsLock'))
  return isShifted ? shifted : plain
}

/** The plain and the shifted character of a key. */
function pairAt(code: string): readonly [string, string] | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter !== undefined) return [letter.toLowerCase(), letter]
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  if (digit !== undefined) {
    const shifted = code.startsWith('Digit') ? (shiftedDigits[Number(digit)] ?? digit) : digit
    return [digit, shifted]
  }
  const pair = marks[code]
  return pair === undefined ? undefined : [pair.charAt(0), pair.charAt(1)]
}
