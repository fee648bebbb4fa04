import { useLocation } from 'preact-iso'

type Values = Readonly<Record<string, string | undefined>>

/** What the address holds after its path: filters, the page of a list, the tab, the open form. */
export function useAddress() {
  const { path, query, route } = useLocation()
  const hrefWith = (values: Values): string => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, value)
    }
    const text = next.toString()
    return text === '' ? path : `${path}?${text}`
  }
  const go = (values: Values, replace = false): void => route(hrefWith(values), replace)
  return { path, query, hrefWith, go }
}
