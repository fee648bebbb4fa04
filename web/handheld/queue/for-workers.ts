/** The field of a call that a refusal names; undefined where it names none. */
export function refusedField(message: string): string | undefined {
  return /^Поле ([\w.[\]]+): /.exec(message)?.[1]
}

/** What a refusal says to a worker: without the names that the fields of the call have. */
export function forWorkers(message: string): string {
  return message.replace(
    /(^|\. )Поле [\w.[\]]+: (\p{L})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  )
}
