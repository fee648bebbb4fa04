import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

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
