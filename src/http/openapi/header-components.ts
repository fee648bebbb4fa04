interface Response {
  headers?: Record<string, object>
}

/** The parts of an OpenAPI document that hold headers of answers. */
export interface DescribedHeaders {
  components?: { headers?: Record<string, object> } | undefined
  paths?: object | undefined
}

/**
 * Moves the headers of answers into the components of a document, so that each is described once. A
 * header that answers describe differently stays where it is.
 */
export function shareHeaders(document: DescribedHeaders): void {
  const responses = responsesOf(document)
  const described = new Map<string, Set<string>>()
  for (const [name, header] of responses.flatMap(headersOf)) {
    described.set(name, (described.get(name) ?? new Set()).add(JSON.stringify(header)))
  }
  const shared = [...described].filter(([, texts]) => texts.size === 1)
  document.components ??= {}
  document.components.headers = Object.fromEntries(
    shared.map(([name, [text = '{}']]) => [name, JSON.parse(text) as object]),
  )
  const names = new Set(shared.map(([name]) => name))
  for (const response of responses) {
    for (const [name] of headersOf(response)) {
      if (!names.has(name)) continue
      response.headers = { ...response.headers, [name]: { $ref: `#/components/headers/${name}` } }
    }
  }
}

function responsesOf({ paths = {} }: DescribedHeaders): Response[] {
  const operations = Object.values(paths).flatMap((path: object) => Object.values(path))
  return operations.flatMap(({ responses = {} }: { responses?: Record<string, Response> }) =>
    Object.values(responses),
  )
}

function headersOf({ headers = {} }: Response): [string, object][] {
  return Object.entries(headers)
}
