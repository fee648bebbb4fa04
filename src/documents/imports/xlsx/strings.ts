import { type Cell, textCell, textUnitsMax } from '../cell.ts'
import { refusedFile } from '../refusals.ts'
import { readWholeXml, type XmlVisitor } from './xml.ts'

/** Enough for ten thousand rows of ten different texts; texts of other sheets count as well. */
const STRINGS_MAX = 100_000
/** On average; a text in several formats has more. */
const ELEMENTS_PER_STRING = 4

/** Joins a text that comes in runs and pieces, without formatting and phonetic readings. */
export interface TextCollector {
  start(): void
  open(name: string): void
  text(piece: string): void
  close(name: string): void
  cell(): Cell | undefined
}

/**
 * Collects texts of spreadsheet XML: `t`, alone or in runs of rich text, but not in phonetic runs.
 */
export function collectText(): TextCollector {
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
      // Enough to know that the text is too long, even after its spaces are trimmed.
      if (isOpen && text.length <= 2 * textUnitsMax) text += piece
    },
    close(name) {
      if (name === 'rPh') isPhonetic = false
      if (name === 't') isOpen = false
    },
    cell: () => textCell(unescaped(text)),
  }
}

/** The texts to which cells refer by number. Throws ServiceError. */
export async function readSharedStrings(
  part: AsyncIterable<Buffer>,
): Promise<(Cell | undefined)[]> {
  const strings: (Cell | undefined)[] = []
  const collector = collectText()
  const visitor: XmlVisitor = {
    open(name) {
      if (name === 'si') collector.start()
      else collector.open(name)
    },
    text: collector.text,
    close(name) {
      if (name === 'si') {
        if (strings.length === STRINGS_MAX) throw tooManyStrings()
        strings.push(collector.cell())
      } else collector.close(name)
    },
  }
  await readWholeXml(part, visitor, STRINGS_MAX * ELEMENTS_PER_STRING)
  return strings
}

/**
 * Replaces `_x000D_`, which stands for a character that XML cannot hold (ECMA-376, part 1,
 * 22.9.2.19).
 */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function tooManyStrings() {
  return refusedFile(
    `В файле XLSX больше ${STRINGS_MAX} разных текстов: оставьте в нём один лист и только столбцы с товарами`,
  )
}
