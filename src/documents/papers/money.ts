/** Money on papers: in figures and in words. */

/** Kopecks as roubles: `1 250,00`. */
export function moneyOnPaper(kopecks: number): string {
  const [roubles, part] = split(kopecks)
  const grouped = String(roubles).replace(/\B(?=(?:\d{3})+$)/g, '\u00a0')
  return `${kopecks < 0 ? '−' : ''}${grouped},${part}`
}

/** Kopecks as «Сто двадцать восемь рублей 71 копейка». */
export function moneyInWords(kopecks: number): string {
  const [roubles, part] = split(kopecks)
  const words = [
    ...(kopecks < 0 ? ['минус'] : []),
    ...(roubles === 0 ? ['ноль'] : wordsOf(roubles)),
    formOf(roubles, ['рубль', 'рубля', 'рублей']),
    part,
    formOf(Number(part), ['копейка', 'копейки', 'копеек']),
  ].join(' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function split(kopecks: number): [roubles: number, part: string] {
  const whole = Math.abs(kopecks)
  return [Math.floor(whole / 100), String(whole % 100).padStart(2, '0')]
}

type Forms = readonly [one: string, few: string, many: string]

/** The form of a noun after a number: 1 рубль, 2 рубля, 5 рублей. */
function formOf(count: number, [one, few, many]: Forms): string {
  const [tens, last] = [count % 100, count % 10]
  if (tens >= 11 && tens <= 14) return many
  if (last === 1) return one
  return last >= 2 && last <= 4 ? few : many
}

const hundreds = [
  ...['', 'сто', 'двести', 'триста', 'четыреста', 'пятьсот', 'шестьсот', 'семьсот', 'восемьсот'],
  'девятьсот',
]
const tens = [
  ...['', '', 'двадцать', 'тридцать', 'сорок', 'пятьдесят', 'шестьдесят', 'семьдесят'],
  ...['восемьдесят', 'девяносто'],
]
const small = [
  ...['', 'один', 'два', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять', 'десять'],
  ...['одиннадцать', 'двенадцать', 'тринадцать', 'четырнадцать', 'пятнадцать', 'шестнадцать'],
  ...['семнадцать', 'восемнадцать', 'девятнадцать'],
]
const feminine = ['', 'одна', 'две']

interface Scale {
  readonly size: number
  readonly forms: Forms
  readonly isFeminine?: boolean
}
const scales: readonly Scale[] = [
  { size: 1e12, forms: ['триллион', 'триллиона', 'триллионов'] },
  { size: 1e9, forms: ['миллиард', 'миллиарда', 'миллиардов'] },
  { size: 1e6, forms: ['миллион', 'миллиона', 'миллионов'] },
  { size: 1e3, forms: ['тысяча', 'тысячи', 'тысяч'], isFeminine: true },
]

function wordsOf(count: number): string[] {
  const scaled = scales.flatMap(({ size, forms, isFeminine = false }) => {
    const group = Math.floor(count / size) % 1000
    return group === 0 ? [] : [...groupWords(group, isFeminine), formOf(group, forms)]
  })
  return [...scaled, ...groupWords(count % 1000, false)]
}

/** Up to 999. */
function groupWords(group: number, isFeminine: boolean): string[] {
  const rest = group % 100
  const last = rest < 20 ? rest : rest % 10
  return [
    hundreds[Math.floor(group / 100)],
    rest < 20 ? '' : tens[Math.floor(rest / 10)],
    (isFeminine && feminine[last]) || small[last],
  ].filter((word): word is string => word !== undefined && word !== '')
}
