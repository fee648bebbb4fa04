import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import { drawable } from './drawable.ts'
import { fontFile } from './drawing.ts'

/** The reader of fonts that the PDF library brings along. */
interface FontReader {
  create(file: Buffer): { hasGlyphForCodePoint(codePoint: number): boolean }
}
const ofPdfkit = createRequire(import.meta.resolve('pdfkit'))
const { create } = ofPdfkit('fontkit') as FontReader
const fonts = [create(fontFile('regular')), create(fontFile('bold'))]
const hasAll = (text: string) =>
  Array.from(text).every((character) =>
    fonts.every((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)),
  )

test('every text is drawn with characters that the fonts have', () => {
  for (let start = 0; start <= 0x1_ffff; start += 0x100) {
    for (let code = start; code < start + 0x100; code += 1) {
      const text = String.fromCodePoint(code)
      assert.ok(hasAll(drawable(text)), `U+${code.toString(16)}`)
    }
  }
})

test('letters that the fonts lack are named, pictures are left out, the rest stays', () => {
  const drawn: Readonly<Record<string, string>> = {
    'Плед «Уют» № 5 — 1 200 ₽, 100 %': 'Плед «Уют» № 5 — 1 200 ₽, 100 %',
    '高质量 面料 Плед': '[кит.] Плед',
    'ქართული ჩაი, 100 г': '[груз.], 100 г',
    'Հայկական թեյ': '[арм.]',
    'จาน 30 см': '[?] 30 см',
    'Плед 🔥🔥 акция': 'Плед  акция',
    '5 000 ₸': '5 000 тг',
    'Phở bò': 'Pho bò',
    'и\u0306 и е\u0308': 'й и ё',
    'а\u200bб\u00ad': 'аб',
    'две\nстроки': 'две строки',
  }
  for (const [text, expected] of Object.entries(drawn)) assert.equal(drawable(text), expected)
})
