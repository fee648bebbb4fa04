/**
 * Asks that a page makes by itself, with nobody at it: they don't keep a session open. An ask is known by its signal,
 * which goes along to each of its calls.
 */
const own = new WeakSet<AbortSignal>()

export function markUnattended(signal: AbortSignal): AbortSignal {
  own.add(signal)
  return signal
}

/** The header that tells the service so; none for what a person asks. */
export function headersOf(signal: AbortSignal | undefined): Readonly<Record<string, string>> {
  return signal !== undefined && own.has(signal) ? { 'X-Unattended': '1' } : {}
}
