/**
 * The id of the caller's trace in a header `traceparent` (W3C Trace Context), for log and journal; undefined for a header of another
 * form. Versions after 00 may have more behind the flags.
 */
export function traceIdOf(traceparent: string | string[] | undefined): string | undefined {
  const [, version, id, more] =
    /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/.exec(
      String(traceparent),
    ) ?? []
  const isKnown = version !== 'ff' && (more === undefined || version !== '00')
  return isKnown ? id : undefined
}
