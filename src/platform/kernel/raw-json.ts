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
