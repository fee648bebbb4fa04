/** Commands and programs as a document shows them to its reader. */

/** The blocks of code in a language, in their order. */
export function blocksIn(text: string, language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')
  return [...text.matchAll(pattern)].map(([, block = '']) => block)
}

/** The block in a language that has a part; throws unless it is the only one. */
export function blockWith(part: string, text: string, language = 'bash'): string {
  return only(
    part,
    blocksIn(text, language).filter((block) => block.includes(part)),
  )
}

/** The commands of a text by name. Each part stands in one of them, and no command is without a part. */
export function commandsByPart<Name extends string>(
  text: string,
  parts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const names = Object.keys(parts) as Name[]
  const named = names.map((name) => [name, blockWith(parts[name], text)] as const)
  const other = blocksIn(text, 'bash').find((block) => !named.some(([, each]) => each === block))
  if (other !== undefined) throw new Error(`no step runs this command of the text:\n${other}`)
  return Object.fromEntries(named) as Record<Name, string>
}

/** The piece of code within a sentence that has a part; throws unless it is the only one. */
export function wordsWith(part: string, text: string): string {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  const pieces = [...prose.matchAll(/`([^`]+)`/g)].map(([, piece = '']) => piece)
  return only(
    part,
    pieces.filter((piece) => piece.includes(part)),
  )
}

function only(part: string, found: readonly string[]): string {
  const [first, ...more] = found
  if (first !== undefined && more.length === 0) return first
  throw new Error(`the text shows ${found.length} commands with "${part}", and not one`)
}

/** What stands under a heading, as in `## Try the API`, up to the next of its level. */
export function sectionOf(heading: string, text: string): string {
  const [level] = heading.split(' ', 1)
  const [, section] = text.split(`\n${heading}\n`)
  if (section === undefined) throw new Error(`the text has no heading "${heading}"`)
  return section.split(`\n${level} `)[0] ?? ''
}

/** A program that the reader saves and runs. */
export interface SavedProgram {
  readonly file: string
  readonly command: string
  readonly text: string
}

export function savedPrograms(text: string): SavedProgram[] {
  const pattern = /Сохраните как `([^`]+)` и запустите: `([^`]+)`[\s\S]*?^```\w+\n([\s\S]*?)^```/gm
  return [...text.matchAll(pattern)].map(([, file = '', command = '', program = '']) => ({
    file,
    command,
    text: program,
  }))
}
