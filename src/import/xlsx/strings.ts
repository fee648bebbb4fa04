import { type Cell, TEXT_UNITS_MAX, textCell } from '../cell.ts'
import { refusedFile } from '../refusals.ts'
import { readWholeXml } from './xml.ts'

/** Ten thousand rows of fifty columns, no two texts alike; the other sheets' are among them. */
const STRINGS_MAX = 500_000

/** Puts together a text that comes in runs and pieces; how the runs look and sound is left out. */
export interface TextGathering {
  start(): void
  open(name: string): void
  text(piece: string): void
  close(name: string): void
  cell(): Cell | undefined
}

/** Texts of spreadsheet XML: `t`, alone or in the runs of a rich text, but not in a phonetic one. */
export function gatherText(): TextGathering {
  let text = ''
  let isOpen = false
  let isPhonetic = false
  return {
    start() {
      text = ''
      isOpen = false
      isPhonetic = false
    },
    open(name) {
      if (name === 'rPh') isPhonetic = true
      if (name === 't') isOpen = !isPhonetic
    },
    text(piece) {
      // One unit over is enough to know that it is too long; spaces around it may still go.
      if (isOpen && text.length <= 2 * TEXT_UNITS_MAX) text += piece
    },
    close(name) {
      if (name === 'rPh') isPhonetic = false
      if (name === 't') isOpen = false
    },
    cell: () => textCell(unescaped(text)),
  }
}

/** The texts that cells refer to by number. Throws ApiError. */
export async function readSharedStrings(
  part: AsyncIterable<Buffer>,
): Promise<(Cell | undefined)[]> {
  const strings: (Cell | undefined)[] = []
  const gathering = gatherText()
  await readWholeXml(part, {
    open(name) {
      if (name === 'si') gathering.start()
      else gathering.open(name)
    },
    text: gathering.text,
    close(name) {
      if (name === 'si') {
        if (strings.length === STRINGS_MAX) throw tooManyStrings()
        strings.push(gathering.cell())
      } else gathering.close(name)
    },
  })
  return strings
}

/** `_x000D_` stands for a character that XML can't hold (ECMA-376, part 1, 22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function tooManyStrings() {
  return refusedFile(
    `В файле XLSX больше ${STRINGS_MAX} разных текстов: оставьте в нём один лист с товарами`,
  )
}
