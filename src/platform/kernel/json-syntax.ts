/**
 * Finds where a text stops being JSON, for the message to its writer. `JSON.parse` names no position in
 * all cases. One pass without recursion, linear in the length of the text.
 */

export interface JsonBreak {
  /** Both from 1; columns count code points. */
  readonly line: number
  readonly column: number
  /** The text ends before its value does. */
  readonly isEnd: boolean
}

/** Where a text that `JSON.parse` refuses breaks off. */
export function findJsonBreak(text: string): JsonBreak {
  const at = breakIndex(text)
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return {
    line: before.split('\n').length,
    column: Array.from(before.slice(lineStart)).length + 1,
    isEnd: at === text.length,
  }
}

type Wanted = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd'

/** The index of the first character that can't stand where it does; the text's length at an early end. */
function breakIndex(text: string): number {
  const closers: string[] = []
  let wanted: Wanted = 'value'
  let at = skipSpace(text, 0)
  while (at < text.length) {
    const char = text[at] ?? ''
    const isOpen = closers.length > 0
    if (wanted === 'commaOrEnd' && !isOpen) return at
    if (wanted.endsWith('OrEnd') && char === closers.at(-1)) {
      closers.pop()
      wanted = 'commaOrEnd'
      at++
    } else if (wanted === 'commaOrEnd') {
      if (char !== ',') return at
      wanted = closers.at(-1) === '}' ? 'key' : 'value'
      at++
    } else if (wanted === 'colon') {
      if (char !== ':') return at
      wanted = 'value'
      at++
    } else if (wanted === 'key' || wanted === 'keyOrEnd') {
      if (char !== '"') return at
      const token = readString(text, at)
      if (!token.isWhole) return token.end
      wanted = 'colon'
      at = token.end
    } else if (char === '{' || char === '[') {
      closers.push(char === '{' ? '}' : ']')
      wanted = char === '{' ? 'keyOrEnd' : 'valueOrEnd'
      at++
    } else {
      const token = char === '"' ? readString(text, at) : readWord(text, at)
      if (!token.isWhole) return token.end
      wanted = 'commaOrEnd'
      at = token.end
    }
    at = skipSpace(text, at)
  }
  return at
}

interface Token {
  /** The index after the token, or of the character that breaks it. */
  readonly end: number
  readonly isWhole: boolean
}

function readString(text: string, start: number): Token {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '"') return { end: at + 1, isWhole: true }
    if (char < ' ') return { end: at, isWhole: false }
    if (char !== '\\') continue
    const escaped = matchAt(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y, text, at)
    if (escaped === undefined) return { end: at, isWhole: false }
    at += escaped.length - 1
  }
  return { end: text.length, isWhole: false }
}

/** A number, true, false or null. */
function readWord(text: string, start: number): Token {
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  const word = matchAt(/true|false|null/y, text, start) ?? matchAt(number, text, start)
  return { end: start + (word?.length ?? 0), isWhole: word !== undefined }
}

function skipSpace(text: string, start: number): number {
  return start + (matchAt(/[ \n\r\t]*/y, text, start)?.length ?? 0)
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0]
}
