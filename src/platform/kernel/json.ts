import { findJsonBreak, type JsonBreak } from './json-syntax.ts'

/**
 * Parses JSON from callers. `JSON.parse` alone accepts too much: invalid UTF-8, repeated keys, keys
 * that change an object's prototype, and any depth. This parser does not recurse, and its time is
 * linear in the length of the text.
 */

/**
 * Why a body is refused:
 *
 * - `utf8`: the bytes are not UTF-8.
 * - `syntax`: the text is no JSON value; `at` says where.
 * - `duplicate_key`: an object has a key twice.
 * - `prototype_key`: an object has a key `__proto__`, `constructor` or `prototype`.
 * - `depth`: the value is nested more deeply than `DEPTH_MAX`.
 */
export type JsonProblem = 'utf8' | 'syntax' | 'duplicate_key' | 'prototype_key' | 'depth'

export type ParsedJson =
  | { ok: true; value: unknown }
  | { ok: false; problem: JsonProblem; key?: string; at?: JsonBreak }

type Finding = { problem: JsonProblem; key?: string }

/** Nested arrays and objects, the outermost included. */
export const DEPTH_MAX = 32

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a whole body; a byte order mark at its start is skipped. Never throws. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = attempt(() => utf8.decode(bytes))
  if (text === undefined) return { ok: false, problem: 'utf8' }
  const value = attempt((): unknown => JSON.parse(text))
  if (value === undefined) return { ok: false, problem: 'syntax', at: findJsonBreak(text) }
  const finding = inspect(text)
  return finding === undefined ? { ok: true, value } : { ok: false, ...finding }
}

/** Whether a text holds U+0000 or half of a surrogate pair: the database can store neither. */
export function hasBadText(text: string): boolean {
  return !text.isWellFormed() || text.includes('\u0000')
}

/** The length in code points, in which limits are given; half a surrogate pair counts as one. */
export function codePointLength(text: string): number {
  let length = text.length
  for (let at = 1; at < text.length; at++) {
    const pair = isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at))
    if (pair) length--
  }
  return length
}

/**
 * Checks valid JSON in one pass. Only strings and brackets matter: a string before a colon is a key
 * of the innermost object. The stack holds the keys seen in each open object.
 */
function inspect(text: string): Finding | undefined {
  const stack: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '{' || char === '[') {
      if (stack.length === DEPTH_MAX) return { problem: 'depth' }
      stack.push(new Set())
    } else if (char === '}' || char === ']') {
      stack.pop()
    } else if (char === '"') {
      const end = stringEnd(text, at)
      const finding = isKey(text, end) ? inspectKey(text.slice(at, end), stack.at(-1)) : undefined
      if (finding !== undefined) return finding
      at = end - 1
    }
  }
  return undefined
}

function inspectKey(quoted: string, seen: Set<string> | undefined): Finding | undefined {
  const key: string = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1)
  if (PROTOTYPE_KEYS.has(key)) return { problem: 'prototype_key', key }
  if (seen?.has(key)) return { problem: 'duplicate_key', key }
  seen?.add(key)
  return undefined
}

/** The index after the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function isKey(text: string, end: number): boolean {
  let at = end
  while (isSpace(text[at])) at++
  return text[at] === ':'
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t'
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Parts of JSON that Node has and TypeScript's library does not declare yet: numbers as they are written. */
declare global {
  interface JSON {
    /** A value that `stringify` writes as `text`. */
    rawJSON(text: string): unknown
    isRawJSON(value: unknown): boolean
  }
}

/** The JSON number of these digits, exact beyond 2^53. */
export function rawNumber(digits: string): unknown {
  return JSON.rawJSON(digits)
}

/** Whether a value came from `rawNumber`. */
export function isRawNumber(value: unknown): boolean {
  return JSON.isRawJSON(value)
}
