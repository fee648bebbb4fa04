import { damagedXlsx } from '../refusals.ts'
import { readWholeXml } from './xml.ts'

/** How a cell's style shows its number. */
export interface NumberFormat {
  readonly isDate: boolean
  /** The least number of digits, from a format such as `00000`. */
  readonly digits: number
}

export const plainFormat: NumberFormat = { isDate: false, digits: 0 }

/** Excel's limit. */
const STYLES_MAX = 65_536

const dateFormat: NumberFormat = { isDate: true, digits: 0 }

/** The number formats of a workbook, by the number to which cells refer. Throws ServiceError. */
export async function readNumberFormats(part: AsyncIterable<Buffer>): Promise<NumberFormat[]> {
  const custom = new Map<string, NumberFormat>()
  const formats: NumberFormat[] = []
  let inCellStyles = false
  await readWholeXml(part, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'cellXfs') inCellStyles = true
      else if (name === 'numFmt') custom.set(numFmtId, formatOf(formatCode))
      else if (name === 'xf' && inCellStyles)
        formats.push(custom.get(numFmtId) ?? builtIn(numFmtId))
      if (Math.max(custom.size, formats.length) > STYLES_MAX) throw damagedXlsx('too many styles')
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false
    },
  })
  return formats
}

/** Built-in formats by number (ECMA-376, part 1, 18.8.30); 27–36 and 50–58 are East Asian dates. */
function builtIn(id: string): NumberFormat {
  const number = Number(id)
  const isDate = [
    [14, 22],
    [27, 36],
    [45, 47],
    [50, 58],
  ].some(([from = 0, to = 0]) => number >= from && number <= to)
  return isDate ? dateFormat : plainFormat
}

/** A format is for dates if it shows a day, month, year or time outside of quoted text. */
function formatOf(code: string): NumberFormat {
  if (/^0{1,64}$/.test(code)) return { isDate: false, digits: code.length }
  if (/^general$/i.test(code)) return plainFormat
  const bare = code
    .slice(0, 1_000)
    .replace(/"[^"]*"|\\.|[_*]./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  return /[dmyhs]/i.test(bare) ? dateFormat : plainFormat
}
