import type { ComponentChildren } from 'preact'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { Shared } from '../../ui/lists/use-saved-views.ts'
import { paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'

/** Views of lists that managers keep for each other. */
export function SharedViews({ children }: { readonly children: ComponentChildren }) {
  const manages = isAtLeast(useSession().user, 'manager')
  const { data, reload } = useAnswer(`shared views ${manages}`, async (signal) =>
    manages ? staff('GET /list-views', { signal }) : undefined,
  )
  const views = (data?.items ?? []).map(({ id, list, name, query, own, saved_by: savedBy }) => {
    return { id, name, href: `${paths.today}/${list}?${query}`, own, savedBy }
  })
  const store = {
    views,
    share: async ({ name, href }: { readonly name: string; readonly href: string }) => {
      const { pathname, search } = new URL(href, location.origin)
      const list = pathname.slice(paths.today.length + 1)
      await staff('POST /list-views', { body: { list, name, query: search.slice(1) } })
      reload()
    },
    remove: async ({ id }: { readonly id: string }) => {
      await staff('DELETE /list-views/{id}', { path: { id } })
      reload()
    },
  }
  return <Shared.Provider value={manages ? store : undefined}>{children}</Shared.Provider>
}
