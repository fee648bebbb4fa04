import { useEffect, useState } from 'preact/hooks'
import { useSession } from '../../staff/session.tsx'
import { keepViews, type SavedView, savedViews } from '../../ui/saved-views.ts'

/** Every part of the page that shows views shows the same ones. */
const listeners = new Set<() => void>()

export function useSavedViews() {
  const { login } = useSession().user
  const [views, setViews] = useState(() => savedViews(login))
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
  return { views, keep }
}
