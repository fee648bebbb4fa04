/** Journals grow without end, so lists count their totals up to this number. */
export const countedMax = 100_000
