import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { AccountSession } from '../api/account-calls.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Failure } from '../ui/failure.tsx'
import { setSignInAgain } from '../ui/sign-in/sign-in-again.ts'
import { account, whoAmI } from './api.ts'
import { SignIn, SignInWithKey, SignInWithPassword } from './sign-in.tsx'

interface OpenSession {
  readonly session: AccountSession
  readonly switchTo: (clientId: string) => Promise<void>
  readonly signOut: () => Promise<void>
  /** Whether the role may do what `role` may. */
  readonly may: (role: AccountSession['role']) => boolean
  readonly reload: () => Promise<void>
}

const Session = createContext<OpenSession | undefined>(undefined)

/** Who has signed in, and whose data is shown, below an `AccountGate`. */
export function useSession(): OpenSession {
  const open = useContext(Session)
  if (open === undefined) throw new Error('there is no session above')
  return open
}

const ascending = ['viewer', 'receipts', 'owner'] as const

/** Shows its children to somebody who has signed in, and the sign-in page to everybody else. */
export function AccountGate({ children }: { readonly children: ComponentChildren }) {
  const known = useAnswer('session', whoAmI)
  const [changed, setChanged] = useState<AccountSession | null>()
  const session = (changed === undefined ? known.data : changed) ?? undefined
  if (session === undefined) {
    const { data, error } = known
    if (changed === undefined && error === undefined && data === undefined) return null
    const isDown = changed === undefined && error !== undefined && error.status !== 401
    return isDown ? (
      <main class="centred">
        <Failure error={known.error} retry={known.reload} />
      </main>
    ) : (
      <SignIn opened={setChanged} />
    )
  }
  const open: OpenSession = {
    session,
    may: (role) => ascending.indexOf(session.role) >= ascending.indexOf(role),
    async switchTo(clientId) {
      setChanged(await account('PUT /session/client', { body: { client_id: clientId } }))
    },
    async signOut() {
      await account('DELETE /session')
      setChanged(null)
    },
    reload: () => whoAmI().then(setChanged),
  }
  return (
    // Another client's pages begin anew.
    <Session.Provider key={session.client.id} value={open}>
      {children}
      <SignInAgain session={session} />
    </Session.Provider>
  )
}

/** All tabs share the cookie: a tab that shows another client, or another person's pages, begins anew. */
function useSameInAllTabs({ login, client }: AccountSession): void {
  useEffect(() => {
    const whose = `${login} ${client.id}`
    const tabs = new BroadcastChannel('account')
    tabs.onmessage = ({ data }) => {
      if (data !== whose) location.reload()
    }
    tabs.postMessage(whose)
    return () => tabs.close()
  }, [login, client.id])
}

/** The dialog over a page whose session has ended. What was typed on the page stays. */
function SignInAgain({ session }: { readonly session: AccountSession }) {
  useSameInAllTabs(session)
  const dialog = useRef<HTMLDialogElement>(null)
  const answered = useRef<(done: boolean) => void>(undefined)
  useEffect(() => {
    setSignInAgain(() => {
      dialog.current?.showModal()
      return new Promise((resolve) => {
        answered.current = resolve
      })
    })
    return () => setSignInAgain(undefined)
  }, [])
  const end = (done: boolean) => {
    answered.current?.(done)
    dialog.current?.close()
  }
  /** Nobody continues what another person, or for another client, began. */
  const opened = async (next: AccountSession) => {
    const back =
      next.client.id === session.client.id || next.login !== session.login
        ? next
        : await account('PUT /session/client', { body: { client_id: session.client.id } })
    if (back.login !== session.login || back.client.id !== session.client.id) location.reload()
    else end(true)
  }
  return (
    <dialog ref={dialog} aria-labelledby="sign-in-again" onCancel={() => end(false)}>
      <div class="stack">
        <h2 id="sign-in-again">Вход закончился</h2>
        <p>Войдите снова: введённое на странице сохранилось.</p>
        {session.login === null ? (
          <SignInWithKey opened={opened} />
        ) : (
          <SignInWithPassword login={session.login} opened={opened} />
        )}
      </div>
    </dialog>
  )
}
