import {
  type GoodsBarcode,
  matchingBarcodes,
  readGoodsBarcode,
  spellingsOf,
} from '../../platform/kernel/codes/goods-barcode.ts'
import { barcodesOfGtin, contradicts as contradictsAlone } from '../../platform/kernel/codes/gs1.ts'
import type { Lot } from '../../platform/kernel/codes/lot.ts'
import {
  type MarkingCode,
  type MarkingCodeReading,
  readMarkingCode,
} from '../../platform/kernel/codes/marking-code.ts'
import { invalidField } from '../../platform/kernel/errors.ts'
import type { Contradiction } from '../stock/card-gtins.ts'

/** Which line of a receipt a scan counts. Pure: counting.ts reads the lines and writes the scan. */

/** What a handheld sends while goods are counted: a barcode, a marking code, or both. */
export interface HandheldScan {
  /** Made by the handheld; a second scan with the same id changes nothing. */
  readonly scanId: string
  readonly barcode?: string | undefined
  readonly markingCode?: string | undefined
  /** 1 by default, and always 1 with a marking code. */
  readonly units?: number | undefined
  /** The box's id or SSCC. */
  readonly boxId?: string | undefined
  /** What the worker calls goods that nobody has named. */
  readonly name?: string | undefined
  /** The lot of the units, of goods whose expiry dates are kept. */
  readonly lot?: Lot | undefined
}

/**
 * Whether marked goods are counted by their marking codes alone. `optional` is for the sandbox,
 * whose units have no codes (decision 0006).
 */
export type CodeRule = 'required' | 'optional'

export interface ScanReading {
  readonly barcode: GoodsBarcode | undefined
  readonly code: MarkingCodeReading | undefined
}

/** Throws validation_error for a scan that has neither a barcode nor a marking code. */
export function readScan({ barcode, markingCode }: HandheldScan): ScanReading {
  if (barcode === undefined && markingCode === undefined) {
    throw invalidField('barcode', 'нужен barcode или marking_code')
  }
  return {
    barcode: barcode === undefined ? undefined : readGoodsBarcode(barcode),
    code: markingCode === undefined ? undefined : readMarkingCode(markingCode),
  }
}

/** The barcodes that the scanned line may have. */
export function possibleBarcodes({ barcode, code }: ScanReading): string[] {
  if (barcode !== undefined) return spellingsOf(barcode)
  return code?.ok ? barcodesOfGtin(code.gtin) : []
}

/** The GTIN of a marking code that was scanned without a barcode. */
export function loneGtinOf({ barcode, code }: ScanReading): string | undefined {
  return barcode === undefined && code?.ok ? code.gtin : undefined
}

/** The GTIN of a scan whose marking code does not fit its barcode, unless the seller's cards know both. */
export function oddGtinOf({ barcode, code }: ScanReading): string | undefined {
  if (barcode === undefined || !code?.ok) return undefined
  const { gtin } = code
  return spellingsOf(barcode).some((each) => !contradictsAlone(gtin, each)) ? undefined : gtin
}

export interface ScannableLine {
  readonly barcode: string
  readonly name: string
  /**
   * Whether each unit has a marking code: by the line or, where the line does not say, the product.
   */
  readonly marked: boolean
}

/**
 * Chooses the line among those with a possible barcode. Answers it with the scan's marking code.
 * Throws validation_error where no line fits, or several, or where the code and the line disagree.
 */
export function chooseLine(
  lines: readonly ScannableLine[],
  scan: HandheldScan,
  reading: ScanReading,
  codes: CodeRule,
  contradicts: Contradiction,
): { readonly line: ScannableLine; readonly code: MarkingCode | undefined } {
  const { barcode, code } = reading
  if (code?.ok === false) throw invalidField('marking_code', code.problem)
  const known = lines.map((line) => line.barcode)
  const meant = barcode === undefined ? known : matchingBarcodes(barcode, known)
  const possible = lines.filter((line) => meant.includes(line.barcode))
  const line = onlyLine(possible, scan.barcode, code, contradicts)
  refuseWrongKind(line, code, scan.units ?? 1, codes)
  return { line, code }
}

const unnamedRule =
  'нет в этой приёмке, и складу он не известен: введите его название (name), или отложите его'

function onlyLine(
  [line, other]: readonly ScannableLine[],
  barcode: string | undefined,
  code: MarkingCode | undefined,
  contradicts: Contradiction,
): ScannableLine {
  if (line === undefined) {
    throw barcode === undefined
      ? invalidField('marking_code', `товара с GTIN ${code?.gtin} ${unnamedRule}`)
      : invalidField('barcode', `товара ${barcode} ${unnamedRule}`)
  }
  if (other !== undefined) {
    throw invalidField('barcode', `код подходит к ${line.barcode} и ${other.barcode}, укажите один`)
  }
  if (code !== undefined && contradicts(code.gtin, line.barcode)) {
    throw invalidField('marking_code', `код другого товара, его GTIN ${code.gtin}`)
  }
  return line
}

function refuseWrongKind(
  { barcode, marked }: ScannableLine,
  code: MarkingCode | undefined,
  units: number,
  codes: CodeRule,
): void {
  if (marked && code === undefined && codes === 'required') {
    throw invalidField(
      'marking_code',
      `товар ${barcode} маркируется: отсканируйте код маркировки каждой единицы`,
    )
  }
  if (!marked && code !== undefined) {
    throw invalidField('marking_code', `товар ${barcode} не маркируется: отсканируйте его штрихкод`)
  }
  if (code !== undefined && units !== 1) {
    throw invalidField('qty', '1: у каждой единицы свой код маркировки')
  }
}
