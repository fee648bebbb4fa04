/**
 * The tag for SQL: db`select … where id = ${id}`.
 *
 * - A statement runs when it is awaited for the first time, once. Awaited again it gives the same rows.
 * - A fragment nested in another one does not run, and may come from any tag.
 * - The stack of an error ends with the place of the statement in the source.
 */

import type { Executed, Executor } from './executor.ts'
import { compose, Fragment, Identifier, Json, type Part, templateOf } from './fragment.ts'
import { encode, type Value } from './parameters.ts'

/** A row whose type is not given. */
export type Row = Record<string, unknown>
type Rows = readonly (object | undefined)[]

export interface Tag {
  /** A name of SQL; dots separate the parts of a path. */
  (name: string): Identifier
  /** A statement, or a fragment for another one. */
  <Result extends Rows = Row[]>(
    strings: TemplateStringsArray,
    ...parts: readonly Part[]
  ): Statement<Result>
  /** A parameter of type jsonb; null is the NULL of SQL. */
  json(value: unknown): Json
  /** Inserts many rows into a table, of a database for copies; each row has a value for each of the columns. */
  copyInto(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly CopyValue[])[],
  ): Promise<void>
  /** Runs text at once, unprepared; without values it may hold several statements, and gives the last one's rows. */
  unsafe<Result extends Rows = Row[]>(text: string, values?: readonly Value[]): Promise<Result>
}

/** A statement that runs when it is awaited, or a fragment to be nested in another one. */
export class Statement<Result extends Rows = Rows> extends Fragment implements Promise<Result> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #executor: Executor
  #planOnce = false
  #result: Promise<Result> | undefined

  constructor(executor: Executor, ...[template, parts]: ConstructorParameters<typeof Fragment>) {
    super(template, parts)
    this.#executor = executor
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a statement is what runs it.
  then<A = Result, B = never>(
    onfulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#rows()
    return this.#result.then(onfulfilled, onrejected)
  }

  catch<B = never>(
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<Result | B> {
    return this.then(undefined, onrejected)
  }

  finally(onfinally?: (() => void) | null): Promise<Result> {
    return this.then().finally(onfinally)
  }

  /** Runs the statement for the number of rows that it inserted, changed or deleted. */
  async affected(): Promise<number> {
    return (await this.#execute()).affected
  }

  /**
   * Plans the statement once for a connection and any values. It pays for statements that take longer to plan than to
   * run, and whose plan is the best one for all values; measure it.
   */
  planOnce(): this {
    this.#planOnce = true
    return this
  }

  async #rows(): Promise<Result> {
    return (await this.#execute()).rows as Result
  }

  async #execute(): Promise<Executed> {
    try {
      return await this.#executor.execute({ ...compose(this), planOnce: this.#planOnce })
    } catch (error) {
      if (error instanceof Error) addOrigin(error, this.template.origin)
      throw error
    }
  }
}

/** An error may end several statements; the first place stays. */
function addOrigin(error: Error, origin: string): void {
  if (error.stack?.includes(statementMark)) return
  error.stack = `${error.stack}\n    ${statementMark} ${origin}`
}

const statementMark = 'in the statement'

/** Makes the tag whose statements `executor` runs. */
export function tagOf(executor: Executor): Tag {
  function tag(name: string): Identifier
  function tag(strings: TemplateStringsArray, ...parts: Part[]): Statement<never>
  function tag(first: string | TemplateStringsArray, ...parts: Part[]) {
    if (typeof first === 'string') return new Identifier(first)
    return new Statement<never>(executor, templateOf(first, tag), parts)
  }
  return Object.assign(tag, {
    json: (value: unknown) => new Json(value),
    copyInto: async (
      table: string,
      columns: readonly string[],
      rows: readonly (readonly CopyValue[])[],
    ) => {
      const names = columns.map((column) => new Identifier(column).quoted)
      const text = `copy ${new Identifier(table).quoted} (${names.join(', ')}) from stdin`
      await executor.execute({ text, name: undefined, values: [], copied: copyText(rows) })
    },
    unsafe: async <Result extends Rows>(text: string, values: readonly Value[] = []) => {
      const encoded = values.map((value) => encode(value, undefined))
      const { rows } = await executor.execute({ text, name: undefined, values: encoded })
      return rows as Result
    },
  })
}

/** A column's value, as the server's text of its type; null is NULL. */
export type CopyValue = string | number | null

/** Rows in COPY's text format: the server reads them in half the time that it needs for the same rows as JSON. */
export function copyText(rows: readonly (readonly CopyValue[])[]): string {
  let text = ''
  for (const row of rows) text += `${row.map(copyField).join('\t')}\n`
  return text
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

function copyField(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  return value.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character)
}
