/** Letters of a reason's name as its code has them. */
const latin: Readonly<Record<string, string>> = {
  а: 'A',
  б: 'B',
  в: 'V',
  г: 'G',
  д: 'D',
  е: 'E',
  ё: 'E',
  ж: 'ZH',
  з: 'Z',
  и: 'I',
  й: 'Y',
  к: 'K',
  л: 'L',
  м: 'M',
  н: 'N',
  о: 'O',
  п: 'P',
  р: 'R',
  с: 'S',
  т: 'T',
  у: 'U',
  ф: 'F',
  х: 'H',
  ц: 'TS',
  ч: 'CH',
  ш: 'SH',
  щ: 'SCH',
  ъ: '',
  ы: 'Y',
  ь: '',
  э: 'E',
  ю: 'YU',
  я: 'YA',
}

/** Characters of the longest code that the service takes. */
const codeMax = 64

/** A code for programs from what people call the reason: «Брак упаковки» is BRAK_UPAKOVKI. */
export function codeOfReason(label: string): string {
  return [...label.toLowerCase()]
    .map((letter) => latin[letter] ?? letter)
    .join('')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, codeMax)
    .replace(/^_|_$/g, '')
}
