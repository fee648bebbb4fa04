import { characterOf, type KeyPress } from './key-places.ts'

/**
 * Reads a scanner that types. Its keys come faster than a person's: the gaps are judged by the moments at which they
 * were pressed, so a busy processor does not matter. A scan ends with Enter or Tab. Some scanners send neither: then it ends
 * when no key has come for a while. What a scanner types never stays in an input.
 */

export interface ReadKey extends KeyPress {
  readonly timeStamp: number
}

/** Between two keys of a scanner while an input has the focus: people type slower. */
const gapInInputMs = 45
/** Elsewhere no person types. */
const gapMs = 500
const idleMs = 200
/** The same once the scanner has sent Enter: then Enter will come, however busy the device is. */
const idleWithEnterMs = 700
/** Without Enter, fewer characters than this are no scan, unless they came faster than a person types. */
const lengthWithoutEnterMin = 6
const fastLengthMin = 3
/** In an input, fewer characters than this before Enter may be a person's. */
const lengthInInputMin = 4

export type KeyOutcome = 'ignored' | 'taken' | 'first' | 'ended'

export class WedgeReader {
  #text = ''
  #first = 0
  #last = Number.NEGATIVE_INFINITY
  #isInInput = false
  #altDigits = ''
  #sendsEnter = false
  readonly #onScan: (code: string) => void

  constructor(onScan: (code: string) => void) {
    this.#onScan = onScan
  }

  /** Without a key for so long, a scan has ended. */
  get idleMs(): number {
    return this.#sendsEnter ? idleWithEnterMs : idleMs
  }

  /** `first` may be a person's key; whatever is taken or ended is a scanner's. */
  press(key: ReadKey, isInInput: boolean): KeyOutcome {
    const gap = key.timeStamp - this.#last
    const isNext = this.#text !== '' && gap <= (isInInput ? gapInInputMs : gapMs)
    if (key.key === 'Enter' || key.key === 'Tab') return this.#end(isNext, isInInput)
    if (key.altKey && /^Numpad\d$/.test(key.code)) return this.#pressAlt(key)
    const character = characterOf(key)
    if (character === undefined) return 'ignored'
    // The scan before had no Enter, and the device was too busy to notice its end.
    if (!isNext) {
      this.#finish()
      this.#text = ''
      this.#first = key.timeStamp
    }
    this.#isInInput = isInInput
    this.#text += character
    this.#last = key.timeStamp
    return isNext ? 'taken' : 'first'
  }

  /** A scanner may press Alt and the number of a character: Alt 029 is a separator. */
  #pressAlt(key: ReadKey): KeyOutcome {
    this.#altDigits += key.code.slice(-1)
    this.#last = key.timeStamp
    return 'taken'
  }

  releaseAlt(): void {
    if (this.#altDigits !== '') this.#text += String.fromCharCode(Number(this.#altDigits))
    this.#altDigits = ''
  }

  #end(isNext: boolean, isInInput: boolean): KeyOutcome {
    const isWhole = this.#isWhole
    const text = this.#text
    this.#text = ''
    const isScan = isInInput ? isNext && text.length >= lengthInInputMin : isNext || isWhole
    if (!isScan) return 'ignored'
    this.#sendsEnter = true
    this.#onScan(text)
    return 'ended'
  }

  /** Called while no key comes: a scan that is long enough has ended. */
  rest(now: number): void {
    if (now - this.#last >= this.idleMs) this.#finish()
  }

  /** Whether what was typed is a scan, should no Enter come. */
  get #isWhole(): boolean {
    const { length } = this.#text
    const isFast = !this.#isInInput && this.#last - this.#first <= gapInInputMs * (length - 1)
    return length >= (isFast ? fastLengthMin : lengthWithoutEnterMin)
  }

  #finish(): void {
    const text = this.#text
    if (!this.#isWhole) return
    this.#text = ''
    this.#onScan(text)
  }
}
