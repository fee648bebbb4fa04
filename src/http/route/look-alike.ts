/** Names of parameters and fields that callers mistype, or write in the style of another API. */

/**
 * The known name that an unknown one most likely means: the same letters in another style
 * (`externalId`, `STATUS`, `status[]` for `external_id`, `status`), or one typing error away.
 */
export function likelyName(name: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(name)
  return (
    known.find((other) => lettersOf(other) === letters) ??
    known.find((other) => isSlip(letters, lettersOf(other)))
  )
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[-_[\]]/g, '')
}

/** Shorter names are close to too many others. */
const slipLengthMin = 4
const meantLengthMin = 5

/** Whether one edit, one exchange of two neighbours or a plural's end turns one text into the other. */
function isSlip(text: string, meant: string): boolean {
  if (text.length < slipLengthMin || meant.length < meantLengthMin) return false
  if (text === `${meant}es`) return true
  if (Math.abs(text.length - meant.length) > 1) return false
  let start = 0
  while (start < text.length && text[start] === meant[start]) start++
  const [rest, meantRest] = [text.slice(start), meant.slice(start)]
  return (
    rest.slice(1) === meantRest.slice(1) ||
    rest.slice(1) === meantRest ||
    rest === meantRest.slice(1) ||
    (rest.slice(2) === meantRest.slice(2) && rest[0] === meantRest[1] && rest[1] === meantRest[0])
  )
}
