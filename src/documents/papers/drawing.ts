import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Turns } from '../../platform/concurrency/turns.ts'
import { rateLimited } from '../../platform/kernel/errors.ts'

/** With two documents of 500 labels in the making after it, this stays below ten seconds. */
const patienceSeconds = 3

/** A large document in the making takes about fifteen megabytes. */
const largeOnes = new Turns({
  atOnceMax: 2,
  waitingMax: 1,
  patienceMs: patienceSeconds * 1_000,
  refusal: drawingRefusal,
})
const smallMax = 20

/**
 * Draws a document of so many labels, rows or parts. Few large ones are in the making at once; a small one does not wait. Throws
 * rate_limited for a large one that waits for too long.
 */
export function drawing<T>(size: number, draw: () => Promise<T>): Promise<T> {
  return size <= smallMax ? draw() : largeOnes.run(Symbol('document'), draw)
}

export function drawingRefusal() {
  const message = `Сейчас готовится много больших документов, повторите через ${patienceSeconds} с`
  return rateLimited(patienceSeconds, message)
}

/** The fonts of what the service draws itself. They are part of each document, so that it looks the same everywhere. */
const files = {
  regular: '400Regular/PTSans_400Regular.ttf',
  bold: '700Bold/PTSans_700Bold.ttf',
} as const
export type FontName = keyof typeof files

const fonts = new Map<FontName, Buffer>()

export function fontFile(name: FontName): Buffer {
  const known = fonts.get(name)
  if (known !== undefined) return known
  const file = import.meta.resolve(`@expo-google-fonts/pt-sans/${files[name]}`)
  const font = readFileSync(fileURLToPath(file))
  fonts.set(name, font)
  return font
}
