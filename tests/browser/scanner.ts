import type { CDPSession, Page } from 'playwright-core'

/**
 * A scanner that types, as the page sees one: the keys of an American keyboard, each with the moment at which it was
 * pressed. Those are a few milliseconds apart however busy the machine is, as with a real scanner.
 */

const gapMs = 5
const shift = 8
const control = 2
const shiftedDigits = ')!@#$%^&*('
const marks = [
  ['Space', '  '],
  ['Minus', '-_'],
  ['Equal', '=+'],
  ['BracketLeft', '[{'],
  ['BracketRight', ']}'],
  ['Backslash', '\\|'],
  ['Semicolon', ';:'],
  ['Quote', '\'"'],
  ['Backquote', '`~'],
  ['Comma', ',<'],
  ['Period', '.>'],
  ['Slash', '/?'],
] as const

interface Key {
  readonly key: string
  readonly code: string
  readonly modifiers: number
  readonly text?: string
  readonly windowsVirtualKeyCode?: number
}

const enter: Key = {
  key: 'Enter',
  code: 'Enter',
  modifiers: 0,
  text: '\r',
  windowsVirtualKeyCode: 13,
}

function keyOf(character: string): Key {
  if (character === '\u001d') return { key: ']', code: 'BracketRight', modifiers: control }
  const plain = { key: character, text: character }
  if (/[a-z]/.test(character)) {
    return { ...plain, code: `Key${character.toUpperCase()}`, modifiers: 0 }
  }
  if (/[A-Z]/.test(character)) return { ...plain, code: `Key${character}`, modifiers: shift }
  if (/\d/.test(character)) return { ...plain, code: `Digit${character}`, modifiers: 0 }
  const digit = shiftedDigits.indexOf(character)
  if (digit >= 0) return { ...plain, code: `Digit${digit}`, modifiers: shift }
  const mark = marks.find(([, pair]) => pair.includes(character))
  if (mark === undefined) throw new Error(`no key has ${JSON.stringify(character)}`)
  const [code, pair] = mark
  return { ...plain, code, modifiers: pair.startsWith(character) ? 0 : shift }
}

/** The same key where the layout is Russian: it yields a Russian letter. */
function inRussian({ code, modifiers, ...key }: Key): Key {
  return code.startsWith('Key')
    ? { key: 'К', text: 'К', code, modifiers }
    : { code, modifiers, ...key }
}

interface ScannerOptions {
  readonly sendsEnter?: boolean
  readonly isRussian?: boolean
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** Scans a code: what stands in it is pressed, then Enter. */
export async function scan(
  page: Page,
  code: string,
  { sendsEnter = true, isRussian = false }: ScannerOptions = {},
): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  const typed = Array.from(code, keyOf).map((key) => (isRussian ? inRussian(key) : key))
  const keys = sendsEnter ? [...typed, enter] : typed
  // With Enter a minute ahead: silence ends no scan whose other keys a busy machine still keeps back.
  const began = Date.now() + (sendsEnter ? 60_000 : -keys.length * gapMs)
  const { send } = await session.then((opened) => ({ send: opened.send.bind(opened) }))
  // Sent at once: the browser takes them in order.
  const pressed = keys.flatMap((key, at) => {
    const timestamp = (began + at * gapMs) / 1000
    const { text: _, ...release } = key
    return [
      send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp, ...key }),
      send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp, ...release }),
    ]
  })
  await Promise.all(pressed)
}
