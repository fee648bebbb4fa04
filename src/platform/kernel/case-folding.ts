/**
 * The form in which a search compares names and articles: letter case, е or ё, and the kind and number of spaces make no
 * difference. Composed first, because some keyboards write ё as two characters.
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ё', 'е').replace(/\s+/g, ' ').trim()
}

const latinKeys = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
const russianKeys = 'йцукенгшщзхъфывапролджэячсмитьбюе'
/** Shorter texts mean too much in the other layout. */
const otherLayoutMin = 4

/** What a typed text may mean, folded: itself, and what the same keys write in the other layout of the keyboard. */
export function searchForms(text: string): readonly string[] {
  const folded = foldCase(text)
  if (folded.length < otherLayoutMin) return [folded]
  const others = [retyped(folded, latinKeys, russianKeys), retyped(folded, russianKeys, latinKeys)]
  return [...new Set([folded, ...others])]
}

/** Signs that keys of Russian letters write in the Latin layout with Shift, and those keys without it. */
const shiftedSigns = '{}:"<>~'
const theirKeys = "[];',.`"

/** Like `searchForms`, also for capital letters that the other layout turned into signs: `"vfkm` for Эмаль. */
export function wordForms(text: string): readonly string[] {
  return [
    ...new Set([...searchForms(text), ...searchForms(retyped(text, shiftedSigns, theirKeys))]),
  ]
}

/** What the keys of a text in the Russian layout write in the Latin one; letters keep their case. */
export function inLatinLayout(text: string): string {
  return retyped(text, russianKeys, latinKeys)
}

function retyped(text: string, from: string, to: string): string {
  return text.replace(/\S/g, (sign) => {
    const at = from.indexOf(sign.toLowerCase())
    const other = to[at]
    if (other === undefined) return sign
    return sign === from[at] ? other : other.toUpperCase()
  })
}
