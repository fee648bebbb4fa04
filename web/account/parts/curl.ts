/** Stands where the page does not know the key. */
export const yourKey = 'ВАШ_КЛЮЧ'

/** A call for the command line; `path` is percent-encoded as far as an address needs it. */
export function curlOf(origin: string, path: string, key = yourKey): string {
  // An address may contain an apostrophe; a shell ends the quoted text at it.
  return `curl -H 'Authorization: Bearer ${key}' '${origin}/v1${path.replaceAll("'", '%27')}'`
}
