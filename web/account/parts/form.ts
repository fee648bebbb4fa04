import type { CallError } from '../../api/caller.ts'

/** The texts of a form's fields, without white space around them; empty ones are left out. */
export function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].flatMap(([name, value]) => {
    const text = typeof value === 'string' ? (name.includes('password') ? value : value.trim()) : ''
    return text === '' ? [] : [[name, text] as const]
  })
  return Object.fromEntries(entries)
}

/** What the service says of each field, by its path. */
export function problemsOf(error: CallError | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(error?.fields.map(({ path, message }) => [path, message]) ?? [])
}

export interface FileProblem {
  readonly row: string
  readonly column: string
  readonly rule: string
}

/** What the service says of each place in a file, `file.3.B` or `file.3`. */
export function fileProblemsOf(error: CallError | undefined): readonly FileProblem[] {
  const places = error?.fields.filter(({ path }) => path.startsWith('file.')) ?? []
  return places.map(({ path, message: rule }) => {
    const [, row = '', column = '—'] = path.split('.')
    return { row, column, rule }
  })
}
