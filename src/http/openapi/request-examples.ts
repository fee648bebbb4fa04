/** A call, as the API reference shows it. */
export interface CallExample {
  readonly request?: unknown
  /** The path of the call, without its query. */
  readonly path?: string
  /** By status. */
  readonly answers: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly in: string; readonly name: string; example?: string }[]
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { example?: unknown; examples?: unknown }>>
  }
}

/**
 * Adds the requests of examples to an OpenAPI document: their bodies, which the plugin that makes the document
 * drops, and the parameters of their paths. `variantsOf` answers several examples of a request instead of the one.
 */
export function addRequestExamples(
  document: { readonly paths?: object },
  examples: Readonly<Record<string, CallExample | undefined>>,
  variantsOf: (operationId: string, request: unknown) => unknown = () => undefined,
): void {
  const paths: Record<string, Record<string, Operation>> = { ...document.paths }
  for (const [template, operations] of Object.entries(paths)) {
    for (const operation of Object.values(operations)) {
      const example = examples[operation.operationId ?? ''] ?? { answers: {} }
      const variants = variantsOf(operation.operationId ?? '', example.request)
      addRequestExample(template, operation, example, variants)
    }
  }
}

function addRequestExample(
  template: string,
  { parameters = [], requestBody }: Operation,
  { path = '', request }: CallExample,
  variants: unknown,
): void {
  const values = path.split('/')
  for (const [at, part] of template.split('/').entries()) {
    const parameter = parameters.find((each) => each.in === 'path' && `{${each.name}}` === part)
    if (parameter !== undefined) parameter.example = decodeURIComponent(values[at] ?? '')
  }
  if (request === undefined) return
  for (const media of Object.values(requestBody?.content ?? {})) {
    if (variants === undefined) media.example = request
    else media.examples = variants
  }
}
