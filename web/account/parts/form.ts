import type { CallError } from '../../api/caller.ts'

/** The texts of a form's fields, without white space around them; empty ones are left out. */
export function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].flatMap(([name, value]) => {
    const text = typeof value === 'string' ? (name.includes('password') ? value : value.trim()) : ''
    return text === '' ? [] : [[name, text] as const]
  })
  return Object.fromEntries(entries)
}

/** What the service says of each field: «Поле items[0].qty: целое число от 1». */
export function problemsOf(error: CallError | undefined): Readonly<Record<string, string>> {
  // The address was right in itself, but did not answer as it must.
  if (error?.code === 'webhook_url_unverified') return { url: error.message }
  if (error?.code !== 'validation_error') return {}
  const parts = error.message.split(/(?:^|\. )Поле (?=[\w[\].]+: )/).slice(1)
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf(': ')
      // What was sent stands in the field already.
      return [
        part.slice(0, at),
        part.slice(at + 2).replace(/(?:; передано .*|\. Неверных полей ещё: \d+)$/s, ''),
      ]
    }),
  )
}

/** What the service says of a filter: «Параметр from должен быть раньше to». */
export function filterProblemOf(
  error: CallError | undefined,
): { readonly name: string; readonly rule: string } | undefined {
  if (error?.code !== 'bad_request') return undefined
  const { message } = error
  // It counts from the beginning of the period, whose end may be right.
  if (message.startsWith('Период from–to '))
    return { name: 'from', rule: message.replace('from–to ', '') }
  const [, name, rule] = /^Параметр (\w+):? (.*?)(?:; передано .*)?$/s.exec(message) ?? []
  if (name === undefined || rule === undefined) return undefined
  const plain = rule.replace(/(?:created_)?to$/, 'даты «До»').replace(/^должен/, 'должна')
  return { name, rule: `${plain.charAt(0).toUpperCase()}${plain.slice(1)}` }
}

export interface FileProblem {
  readonly row: number
  readonly column: string
  readonly rule: string
}

/** What the service says of each place in a file: «строка 3, столбец „Кол-во“ (B): целое число от 1». */
export function fileProblemsOf(error: CallError | undefined): readonly FileProblem[] {
  if (error?.code !== 'validation_error') return []
  const ofCells = error.message.split('\n').flatMap((line) => {
    const [, row, column = '', rule = ''] =
      /строка (\d+), ((?:столбец „.*?“ \([A-Z]+\))|[^:]+): (.*)$/.exec(line) ?? []
    return row === undefined ? [] : [{ row: Number(row), column, rule }]
  })
  if (ofCells.length > 0) return ofCells
  const ofFields = error.message.matchAll(
    /Поле (\w+), строка (\d+): (.*?)(?=\. Поле |\. Неверных |$)/g,
  )
  return [...ofFields].map(([, column = '', row = '', rule = '']) => ({
    row: Number(row),
    column,
    rule,
  }))
}
