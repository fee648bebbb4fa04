/** Says how far a benchmark is, with the seconds since its start. */
export const log = (line: string) =>
  console.error(`${(performance.now() / 1000).toFixed(1).padStart(7)} s  ${line}`)
