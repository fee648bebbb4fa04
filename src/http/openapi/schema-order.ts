const prefix = '#/components/schemas/'

interface Operation {
  readonly tags?: readonly string[]
}

/** The parts of an OpenAPI document that the order depends on. */
export interface OrderedDocument {
  components?: { schemas?: object } | undefined
  paths?: object | undefined
  tags?: readonly { readonly name: string }[] | undefined
}

/**
 * Puts the schemas of a document into the order in which its reader meets them: errors, then by
 * tag, path and operation, reads first. Within a tag, schemas that only other schemas refer to come
 * first; each schema comes after the schemas that it refers to.
 */
export function orderSchemas({ components, paths = {}, tags = [] }: OrderedDocument): void {
  if (components?.schemas === undefined) return
  const schemas = new Map<string, unknown>(Object.entries(components.schemas))
  const operations = Object.values(paths).flatMap(operationsOf)
  const direct = new Set(operations.flatMap(namesIn))
  const ordered = new Set(['Error'])
  for (const { name: tag } of tags) {
    const met = new Set<string>()
    for (const operation of operations.filter((each) => each.tags?.includes(tag))) {
      for (const name of namesIn(operation)) meet(name, schemas, met)
    }
    const nested = [...met].filter((name) => !direct.has(name))
    for (const name of [...nested, ...met]) ordered.add(name)
  }
  const names = new Set([...ordered, ...schemas.keys()])
  components.schemas = Object.fromEntries([...names].map((name) => [name, schemas.get(name)]))
}

function operationsOf(path: Readonly<Record<string, Operation>>): Operation[] {
  const { get, ...writes } = path
  return [...(get === undefined ? [] : [get]), ...Object.values(writes)]
}

/** Adds a schema after the schemas that it refers to. */
function meet(name: string, schemas: ReadonlyMap<string, unknown>, met: Set<string>): void {
  if (met.has(name)) return
  for (const inner of namesIn(schemas.get(name))) meet(inner, schemas, met)
  met.add(name)
}

/** The names that a part of the document refers to, in their order. */
function namesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value.slice(prefix.length)] : namesIn(value),
  )
}
