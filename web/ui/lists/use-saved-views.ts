import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { keepViews, type SavedView, savedViews } from './saved-views.ts'

/** The login of the person who looks: each has views of their own. */
export const Viewer = createContext('')

/** A view that colleagues see, too. */
export interface SharedView extends SavedView {
  readonly id: string
  /** Who may take it away. */
  readonly own: boolean
  readonly savedBy: string
}

interface SharedViews {
  readonly views: readonly SharedView[]
  /** Resolves with the kept view. */
  readonly share: (view: SavedView) => Promise<unknown>
  readonly remove: (view: SharedView) => Promise<unknown>
}

/** Undefined where nobody keeps views for others. */
export const Shared = createContext<SharedViews | undefined>(undefined)

/** Every part of the page that shows views shows the same ones. */
const listeners = new Set<() => void>()

export function useSavedViews() {
  const login = useContext(Viewer)
  const shared = useContext(Shared)
  const latest = () => savedViews(login)
  const [views, setViews] = useState(latest)
  useEffect(() => {
    const again = () => setViews(savedViews(login))
    listeners.add(again)
    // Another tab has saved one.
    addEventListener('storage', again)
    return () => {
      listeners.delete(again)
      removeEventListener('storage', again)
    }
  }, [login])
  const keep = (next: readonly SavedView[]): void => {
    keepViews(login, next)
    for (const again of listeners) again()
  }
  return { views, keep, latest, shared }
}
