import { clientOutside, noticeKinds, pathOfNotice } from './kinds.ts'
import type { LetterNotice } from './letters.ts'

/** The notices of a letter as lines, the same in every channel. Pure. */
export interface LetterLine {
  readonly title: string
  /** Whose it is; undefined for who has one client. */
  readonly client: string | undefined
  readonly url: string
}

export function linesOfLetter(
  notices: readonly LetterNotice[],
  { baseUrl, namesClients }: { readonly baseUrl: string; readonly namesClients: boolean },
): LetterLine[] {
  // Names come from sellers and marketplaces: none may begin a line of its own or turn the rest around.
  return notices.map(({ kind, subject, units, object_id: objectId, client_id, client_name }) => ({
    title: noticeKinds[kind].title({ units, subject: oneLine(subject), objectId }),
    client: namesClients ? oneLine(clientOutside(client_name)) : undefined,
    url: urlOf(baseUrl, noticeKinds[kind].side, client_id, pathOfNotice(kind, { objectId })),
  }))
}

function oneLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/** In the account a link shows the client that it is about, whichever was shown before. */
function urlOf(baseUrl: string, side: 'seller' | 'staff', clientId: string, path: string): string {
  if (side === 'staff') return `${baseUrl}${path}`
  return `${baseUrl}/account/open?${new URLSearchParams({ client: clientId, to: path })}`
}

export function subjectOfLetter([first, ...others]: readonly LetterLine[]): string {
  if (first === undefined) return 'Sklad'
  const whose = first.client === undefined ? '' : `${first.client}: `
  return others.length === 0
    ? `${whose}${first.title}`
    : `Sklad: уведомлений — ${others.length + 1}`
}
