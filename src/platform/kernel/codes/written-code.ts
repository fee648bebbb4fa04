/**
 * Codes as people and programs hand them over: copied from chats and web pages, typed in tables, exported from other
 * programs. What nobody sees is no part of a code, yet two codes that differ in it would be two products or two places.
 */

/**
 * Control characters and marks of writing direction, joining and line breaking. U+0000 stays: who sends it learns so.
 * Tabs and line breaks are white space.
 */
const UNSEEN = /(?![\0\t\n\v\f\r\u0085])[\p{Cc}\p{Cf}]/gu
/** The same without what joins letters and the parts of an emoji. */
const UNSEEN_IN_TEXT = /(?!\u200c|\u200d|[\0\t\n\r\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}]/gu

/** A text for people without what cannot be seen: its letters and line breaks stay. */
export function seenText(text: string): string {
  return text.replace(UNSEEN_IN_TEXT, '')
}

/** A code without what cannot be seen and without white space around it. */
export function plainCode(text: string): string {
  return text.replace(UNSEEN, '').trim()
}

/** Like `plainCode`, but a control character inside stays: it may be part of another kind of code, or a fault to be shown. */
export function trimmedCode(text: string): string {
  return text.replace(/\p{Cf}/gu, '').replace(/^(?:(?!\0)[\p{Cc}\s])+|(?:(?!\0)[\p{Cc}\s])+$/gu, '')
}

/** Digits of East Asian keyboards and spaces of typesetters as plain ones. */
export function plainDigits(text: string): string {
  return text
    .replace(/\s/g, ' ')
    .replace(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
}
