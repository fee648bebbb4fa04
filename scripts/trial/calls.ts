/** Calls of the trial to the service. */

export type Json = Record<string, unknown>
export type Call = <Answer = Json>(method: string, path: string, body?: unknown) => Promise<Answer>

/** Calls below `prefix` with a key or token. Throws with the service's message. */
export function callsTo(baseUrl: string, prefix: string, token: string): Call {
  return async <Answer>(method: string, path: string, body?: unknown) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(`${baseUrl}${prefix}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const parsed = (await answer.json()) as Answer & { error?: { message: string } }
    if (!answer.ok) throw new Error(`${method} ${path}: ${parsed.error?.message}`)
    return parsed
  }
}
