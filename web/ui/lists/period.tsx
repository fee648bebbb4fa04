import { DateFilter, midnightOf } from './filters.tsx'

/** Days in Moscow; `to` is the last one that counts. */
export function PeriodFilter() {
  return (
    <>
      <DateFilter name="from" label="С дня" />
      <DateFilter name="to" label="По день" />
    </>
  )
}

/** The period of the address, as lists ask for it: its end is exclusive. */
export function periodOf({ from, to }: Readonly<Record<string, string>>) {
  return { created_from: midnightOf(from), created_to: midnightOf(to, 1) }
}
