import { useState } from 'preact/hooks'

/** What the worker has chosen, such as a place: the address holds it, so that a reload of the page keeps it. */
export interface InAddress {
  /** At this very moment: a scan may come before the page is drawn anew. */
  readonly now: () => string | undefined
  readonly set: (value: string | undefined) => void
}

export function useInAddress(name: string): InAddress {
  const [, show] = useState({})
  return {
    now: () => new URLSearchParams(location.search).get(name) ?? undefined,
    set: (value) => {
      const query = new URLSearchParams(location.search)
      if (value === undefined) query.delete(name)
      else query.set(name, value)
      history.replaceState(history.state, '', `${location.pathname}?${query}`)
      show({})
    },
  }
}
