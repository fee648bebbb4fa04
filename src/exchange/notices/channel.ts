import { clientOutside, noticeKinds, pathOfNotice } from './kinds.ts'
import type { ClaimedLetter, LetterNotice, LetterOutcome } from './letters.ts'
import type { PersonRow } from './people.ts'

/** A way to a user. It sends once, within half a minute, and never throws for what the other side does. */
export interface Channel {
  send(letter: Letter): Promise<LetterOutcome>
}

/** What a channel gets to send. */
export interface Letter {
  readonly claimed: ClaimedLetter
  readonly person: PersonRow
  readonly notices: readonly LetterNotice[]
  /** The user has several clients: each line says whose it is. */
  readonly namesClients: boolean
}

/** A notice, the same in every channel. */
export interface LetterLine {
  readonly words: string
  readonly url: string
}

export function linesOfLetter({ notices, namesClients }: Letter, baseUrl: string): LetterLine[] {
  // Names come from sellers and marketplaces: none may begin a line of its own or turn the rest around.
  return notices.map(({ kind, subject, units, object_id: objectId, client_id, client_name }) => {
    const title = noticeKinds[kind].title({ units, subject: oneLine(subject), objectId })
    return {
      words: namesClients ? `${oneLine(clientOutside(client_name))}: ${title}` : title,
      url: urlOf(baseUrl, noticeKinds[kind].side, client_id, pathOfNotice(kind, { objectId })),
    }
  })
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

/** The page of all notices, with their settings. */
export function noticesPage({ person }: Letter, baseUrl: string): string {
  return `${baseUrl}${person.side === 'staff' ? '/staff/app' : '/account'}/notices`
}
