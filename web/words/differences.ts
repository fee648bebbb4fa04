interface Counted {
  readonly expected_qty: number
  readonly accepted_qty: number
}

/** How many units lack, and how many came beyond the announced, line by line: 1 and 1 where the totals are equal. */
export function differencesOf(lines: readonly Counted[]) {
  const differences = lines.map(({ expected_qty: expected, accepted_qty: came }) => came - expected)
  const sum = (units: readonly number[]) => units.reduce((all, each) => all + each, 0)
  return {
    short: sum(differences.map((units) => Math.max(0, -units))),
    surplus: sum(differences.map((units) => Math.max(0, units))),
  }
}
