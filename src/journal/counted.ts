/** Journals grow without end: their totals are counted up to here. */
export const countedMax = 100_000
