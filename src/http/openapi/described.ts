/** What everything that reads an OpenAPI document needs: its operations one by one, and its words for people. */

export interface DescribedSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly required?: readonly string[]
}

/** Operations by path and method. */
export type DescribedPaths<Operation> = Readonly<
  Record<string, Readonly<Record<string, Operation>>>
>

/** The operations in the order of the document; `call` is the method and the path, `GET /v1/stock`. */
export function operationsIn<Operation>(paths: DescribedPaths<Operation>) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      call: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

/** Where a parameter stands. */
export const placeLabels: Readonly<Record<string, string>> = {
  path: 'в адресе',
  query: 'в строке запроса',
  header: 'заголовок',
}

/** The allowed values, or the types; empty for a `$ref`. */
export function typeOf(schema: DescribedSchema = {}): string {
  if (schema.enum !== undefined) return schema.enum.join(' · ')
  return [schema.type ?? []].flat().join(' или ')
}
