import type { StaffEntry } from '../../api/staff-calls.ts'

/** Scans of the same goods by one person, one after another, as one entry: the latest, with the units and the words of all. */
export function scansTogether(entries: readonly StaffEntry[]): StaffEntry[] {
  const shown: StaffEntry[] = []
  for (const entry of entries) {
    const last = shown.at(-1)
    if (last !== undefined && isSameScan(last, entry)) shown[shown.length - 1] = added(last, entry)
    else shown.push(entry)
  }
  return shown
}

function isSameScan(one: StaffEntry, other: StaffEntry): boolean {
  const { goods } = one
  return (
    (goods?.qty ?? null) !== null &&
    one.before === null &&
    other.before === null &&
    goods?.barcode === other.goods?.barcode &&
    one.title === other.title &&
    one.actor === other.actor &&
    one.object_id === other.object_id
  )
}

function added(last: StaffEntry, earlier: StaffEntry): StaffEntry {
  const { goods } = last
  if (goods === undefined) return last
  return {
    ...last,
    goods: { ...goods, qty: (goods.qty ?? 0) + (earlier.goods?.qty ?? 0) },
    words: wordsOfBoth(last, earlier),
    mentioned: [...last.mentioned, ...earlier.mentioned],
  }
}

/** The latest words; what names another object of each scan names all of them: «заказ: 7» and «заказ: 8» become «заказ: 8, 7». */
function wordsOfBoth(last: StaffEntry, earlier: StaffEntry): string[] {
  const named = earlier.words.filter((word) =>
    earlier.mentioned.some(({ title }) => title !== '' && word.includes(title)),
  )
  return last.words.map((word) => {
    const [name = '', ...values] = word.split(/: |, /)
    const [, value] = named.find((each) => each.startsWith(`${name}: `))?.split(': ') ?? []
    return value === undefined || values.includes(value) ? word : `${word}, ${value}`
  })
}
