import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Viewer } from '../../ui/lists/use-saved-views.ts'
import { pageAt } from '../rooms.ts'
import { keepScope, keptAfter, keptScope, readScope, type Scope } from './kept.ts'

export interface ChosenScope {
  /** What the page shows, or on pages that show all what the next list will. */
  readonly scope: Scope
  /** What stays: links to lists name it. */
  readonly kept: Scope
  readonly choose: (scope: Scope) => void
  /** Whether the address is about to get the scope: the page would ask for what nobody wants. */
  readonly isLeading: boolean
}

/**
 * The scope stays while a person goes from list to list: an address of a list that names none gets the one that is kept.
 * A link with one of its own shows that, and changes nothing.
 */
export function useScope(): ChosenScope {
  const { path, query, route } = useLocation()
  const login = useContext(Viewer)
  const [kept, setKept] = useState(() => keptScope(login))
  const last = useRef<{ readonly path: string; readonly scope: Scope }>(undefined)
  const page = pageAt(path)
  const names = page?.href === path ? (page.scope ?? []) : []
  const named = readScope(Object.fromEntries(names.map((name) => [name, query[name]])))
  const keeping = keptAfter(kept, last.current, { path, scope: named })
  const missing = names.filter((name) => named[name] === undefined && keeping[name] !== undefined)
  const isLeading = missing.length > 0
  const hrefOf = (scope: Scope) => {
    const next = new URLSearchParams(query)
    for (const name of [...names, 'cursor']) next.delete(name)
    for (const name of names) if (scope[name] !== undefined) next.set(name, scope[name])
    return next.size === 0 ? path : `${path}?${next}`
  }
  useLayoutEffect(() => {
    if (isLeading) route(hrefOf({ ...keeping, ...named }), true)
    else last.current = { path, scope: named }
    if (JSON.stringify(keeping) === JSON.stringify(kept)) return
    keepScope(login, keeping)
    setKept(keeping)
  })
  const choose = (scope: Scope) => {
    keepScope(login, scope)
    setKept(scope)
    last.current = undefined
    if (names.length > 0) route(hrefOf(scope))
  }
  return { scope: { ...keeping, ...named }, kept: keeping, choose, isLeading }
}
