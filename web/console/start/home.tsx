import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { WaitingPage } from '../../ui/waiting.tsx'
import { paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { Today } from '../today/today.tsx'

/** The first page: what waits; on a service without clients an administrator begins instead. */
export function Home() {
  const { user } = useSession()
  return isAtLeast(user, 'administrator') ? <BeginOrToday /> : <Today />
}

function BeginOrToday() {
  const { route } = useLocation()
  const { data, error } = useAnswer('any client', (signal) =>
    staff('GET /clients', { query: { limit: 1 }, signal }),
  )
  const isFresh = data?.total === 0
  useEffect(() => {
    if (isFresh) route(paths.start, true)
  }, [isFresh, route])
  const isKnown = data !== undefined || error !== undefined
  return isKnown && !isFresh ? <Today /> : <WaitingPage />
}
