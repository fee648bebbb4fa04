import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import type { NoticeCalls } from '../../ui/notices/bell.tsx'
import { NoticeList, NoticeRoom } from '../../ui/notices/notices.tsx'
import { Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { noticeCalls } from './notice-calls.ts'

export function NoticesPage() {
  const { session, reload } = useSession()
  const calls: NoticeCalls = {
    ...noticeCalls,
    // Other pages show the number of days that the user chose here.
    keep: async (draft) => {
      const kept = await noticeCalls.keep(draft)
      await reload()
      return kept
    },
  }
  return (
    <Page title="Уведомления">
      {session.kind === 'user' ? (
        <NoticeRoom calls={calls} ofOneClient />
      ) : (
        <>
          <NoticeList calls={noticeCalls} ofOneClient />
          <p class="small quiet">
            Уведомления песочницы видны только здесь. Письма и сообщения в Telegram получают
            пользователи клиента.
          </p>
        </>
      )}
    </Page>
  )
}

/** Where a letter leads: shows the client that the letter is about, then the page. */
export function OpenedFromLetter() {
  const { session, switchTo } = useSession()
  const { query, route } = useLocation()
  const switching = useAction(switchTo)
  const { client = session.client.id, to = '' } = query
  // Only pages of the account: a link in a letter may come from anybody.
  const page = /^\/account(?:[/?]|$)/.test(to) ? to : paths.overview
  useEffect(() => {
    if (client === session.client.id) route(page, true)
    else void switching.run(client)
  }, [])
  return (
    <Page title="Уведомление">
      <Failure error={switching.error} />
    </Page>
  )
}
