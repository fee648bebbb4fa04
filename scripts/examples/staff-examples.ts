import { readFileSync } from 'node:fs'
import type { Example } from './gather.ts'

export type Json = Record<string, unknown>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>
}

const document = JSON.parse(
  readFileSync(new URL('../../openapi/staff.json', import.meta.url), 'utf8'),
) as Document

/** How long arrays of examples are. */
const shownMax = 2

/**
 * Calls the staff API and keeps the first answer of each operation as its example, with shortened arrays and without the
 * secrets that answers showed.
 */
export class StaffExamples {
  readonly #base: string
  readonly #gathered: Record<string, Example> = {}
  readonly #secrets = new Map<string, string>()

  constructor(base: string) {
    this.#base = base
  }

  /** Calls with a token or a cookie. Throws for a refusal. */
  async call(
    credentials: { readonly token?: string; readonly cookie?: string },
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly body: Json; readonly cookie: string }> {
    const response = await fetch(`${this.#base}/staff/v1${path}`, {
      method,
      headers: {
        ...(credentials.token === undefined
          ? {}
          : { Authorization: `Bearer ${credentials.token}` }),
        ...(credentials.cookie === undefined ? {} : { Cookie: credentials.cookie }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    const answer = text === '' ? {} : (JSON.parse(text) as Json)
    this.#keep(method, path, body, response.status, text === '' ? undefined : answer)
    const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0])
    return { body: answer, cookie: cookie.join('; ') }
  }

  #keep(method: string, path: string, body: unknown, status: number, answer: unknown): void {
    const [plain = ''] = path.split('?')
    const operation = operationOf(method, `/staff/v1${plain}`)
    this.#gathered[operation] ??= {
      path: `/staff/v1${plain}`,
      ...(body === undefined ? {} : { request: body as Json }),
      answers: answer === undefined ? {} : { [status]: answer },
    }
  }

  /** What examples show instead of a secret. */
  hide(secret: unknown, shown: string): void {
    this.#secrets.set(String(secret), shown)
  }

  examples(): Readonly<Record<string, Example>> {
    const short = (_: string, value: unknown) =>
      Array.isArray(value) ? value.slice(0, shownMax) : value
    let text = JSON.stringify(this.#gathered, short)
    for (const [secret, shown] of this.#secrets)
      text = text.replaceAll(quoted(secret), quoted(shown))
    return JSON.parse(text) as Record<string, Example>
  }
}

/** As it stands in JSON, without the quotes around it. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** The operation with the path, one without parameters first. */
function operationOf(method: string, path: string): string {
  const parts = path.split('/')
  const fitting = Object.entries(document.paths)
    .filter(([template, methods]) => {
      const wanted = template.split('/')
      const fits = wanted.every((part, at) => part.startsWith('{') || part === parts[at])
      return wanted.length === parts.length && fits && method.toLowerCase() in methods
    })
    .sort(([one], [other]) => one.split('{').length - other.split('{').length)
  const operation = fitting[0]?.[1][method.toLowerCase()]
  if (operation === undefined) throw new Error(`no operation ${method} ${path}`)
  return operation.operationId
}
