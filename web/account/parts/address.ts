import { useLocation } from 'preact-iso'

/** The filters in the address: a link is a view. */
export function useFilters(): {
  readonly filters: Readonly<Record<string, string>>
  readonly set: (patch: Readonly<Record<string, string>>) => void
} {
  const { path, query, route } = useLocation()
  return {
    filters: query,
    set(patch) {
      const next = Object.entries({ ...query, ...patch }).filter(([, value]) => value !== '')
      const text = new URLSearchParams(next).toString()
      route(text === '' ? path : `${path}?${text}`, true)
    },
  }
}
