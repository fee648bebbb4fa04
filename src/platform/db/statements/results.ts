/**
 * How values of a row are read from the server's text; `db/connection.ts` has the table. Types that are not listed stay
 * text, arrays of unlisted types too.
 */

import type { CustomTypesConfig } from 'pg'
import type { Timestamp } from '../../kernel/moscow-time.ts'

type Parser = (text: string) => unknown

const plain: Parser = (text) => text

/** By the type's oid in pg_type, with that of its array. */
const types: readonly (readonly [oid: number, array: number, parse: Parser])[] = [
  [16, 1000, (text) => text === 't'], // boolean
  [17, 1001, (text) => Buffer.from(text.slice(2), 'hex')], // bytea
  [18, 1002, plain], // "char"
  [19, 1003, plain], // name
  [20, 1016, parseInt8],
  [21, 1005, Number], // int2
  [23, 1007, Number], // int4
  [25, 1009, plain], // text
  [26, 1028, Number], // oid
  [114, 199, (text) => JSON.parse(text)], // json
  [700, 1021, Number], // float4
  [701, 1022, Number], // float8
  [869, 1041, plain], // inet
  [1042, 1014, plain], // char(n)
  [1043, 1015, plain], // varchar
  [1082, 1182, plain], // date
  [1184, 1185, parseTimestamp],
  [1186, 1187, plain], // interval
  [1700, 1231, plain], // numeric
  [2950, 2951, plain], // uuid
  [3802, 3807, (text) => JSON.parse(text)], // jsonb
]

const parsers = new Map<number, Parser>(
  types.flatMap(([oid, array, parse]) => [
    [oid, parse] as const,
    [array, (text: string) => parseArray(text, parse)] as const,
  ]),
)

/** @param oid of the column's type in pg_type */
export const parserOf = (oid: number): Parser => parsers.get(oid) ?? plain

/** The form in which the driver takes parsers. */
export const resultTypes: CustomTypesConfig = { getTypeParser: parserOf }

const wholeLength = '2026-11-20 18:25:02.123+03'.length

/** Turns the server's `2026-11-20 18:25:02.12+03` into the form of the API; digits past the third are cut off. */
export function parseTimestamp(text: string): Timestamp {
  // The blank is elsewhere where the year has not four digits.
  if (text[10] !== ' ' || !text.endsWith('+03')) {
    throw new RangeError(`expected a timestamp of a session at +03 and got "${text}"`)
  }
  // Most have all three digits, and each piece less is felt in a page of a thousand rows.
  if (text.length === wholeLength)
    return `${text.slice(0, 10)}T${text.slice(11, 23)}+03:00` as Timestamp
  const fraction = text.slice(20, -3)
  const milliseconds = fraction.length < 3 ? fraction.padEnd(3, '0') : fraction.slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}+03:00` as Timestamp
}

export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond 2^53: ${text}`)
  return value
}

const arrayToken = /[{}]|"((?:[^"\\]|\\.)*)"|[^{},"]+/gs

/** Reads an array of any depth, such as `{{1,NULL},{"a \"b\"",c}}`; bounds other than 1 are refused. */
export function parseArray(text: string, parse: Parser): unknown[] {
  if (!text.startsWith('{')) throw new RangeError(`expected an array that begins at 1, got ${text}`)
  const root: unknown[] = []
  const open = [root]
  for (const [token, quoted] of text.matchAll(arrayToken)) {
    if (token === '{') {
      const inner: unknown[] = []
      open.at(-1)?.push(inner)
      open.push(inner)
    } else if (token === '}') open.pop()
    else if (quoted !== undefined) open.at(-1)?.push(parse(quoted.replace(/\\(.)/gs, '$1')))
    else open.at(-1)?.push(token === 'NULL' ? null : parse(token))
  }
  return root[0] as unknown[]
}
