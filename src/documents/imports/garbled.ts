/** Texts that another program has spoilt before they came into the file: nobody can tell what they said. */

const advice = 'сохраните исходную таблицу заново как CSV UTF-8 или XLSX'

/** What is wrong with a text, as the end of a sentence in Russian; undefined for one that can be read. */
export function garbledProblemOf(text: string): string | undefined {
  if (text.includes('\ufffd')) return `часть букв потеряна (знак �): ${advice}`
  if (/\?{3}/.test(text) && !/\p{L}/u.test(text)) return `вместо букв знаки вопроса: ${advice}`
  return isMisread(text) ? `текст прочитан не в той кодировке: ${advice}` : undefined
}

/** Encodings in which programs read UTF-8 by mistake: «РџР»РµРґ», «ÐŸÐ»ÐµÐ´», «╨Я╨╗╨╡╨┤». */
const misreadings = ['windows-1251', 'windows-1252', 'ibm866', 'macintosh'] as const

function isMisread(text: string): boolean {
  // The first bytes of Russian letters in UTF-8, as these encodings show them.
  if (!/[РС\u00d0\u00d1\u2564\u2568–—][^\0-~]/.test(text)) return false
  return misreadings.some((name) => {
    const meant = new TextDecoder('utf-8').decode(bytesOf(text, name))
    const broken = meant.match(/\ufffd/g)?.length ?? 0
    const whole = meant.match(/[\u0400-\u04ff]/g)?.length ?? 0
    return whole >= 2 && whole > 2 * broken
  })
}

const tables = new Map<string, ReadonlyMap<string, number>>()

/** The bytes that the text had in an encoding of one byte per character; what it lacks stands as 0xFF. */
function bytesOf(text: string, name: (typeof misreadings)[number]): Uint8Array {
  const table = tables.get(name) ?? tableOf(name)
  tables.set(name, table)
  return Uint8Array.from([...text].map((character) => table.get(character) ?? 0xff))
}

function tableOf(name: string): ReadonlyMap<string, number> {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const characters = [...new TextDecoder(name).decode(bytes)]
  return new Map(characters.map((character, byte) => [character, byte]))
}
