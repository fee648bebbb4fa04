import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { ChoiceFilter } from '../../ui/filters.tsx'

type Names = ReadonlyMap<string, string>

/** Names of the print stations by their ids. */
export function useStations(): Names {
  const { data } = useAnswer('stations', (signal) =>
    staff('GET /print-stations', { query: { limit: 200 }, signal }),
  )
  return new Map((data?.items ?? []).map(({ id, name }) => [id, name]))
}

export function StationFilter({ stations }: { readonly stations: Names }) {
  return <ChoiceFilter name="station_id" label="Станция" options={Object.fromEntries(stations)} />
}
