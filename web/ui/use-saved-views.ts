import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { keepViews, type SavedView, savedViews } from './saved-views.ts'

/** The login of the person who looks: each has views of their own. */
export const Viewer = createContext('')

/** Every part of the page that shows views shows the same ones. */
const listeners = new Set<() => void>()

export function useSavedViews() {
  const login = useContext(Viewer)
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
  return { views, keep, latest }
}
