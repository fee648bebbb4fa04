import { type ComponentChildren, createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { StaffUser } from '../api/staff-calls.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Failure } from '../ui/failure.tsx'
import { type AskedBecause, setSignInAgain } from '../ui/sign-in/sign-in-again.ts'
import { type Credentials, SignInForm } from '../ui/sign-in/sign-in-form.tsx'
import { staff, whoAmI } from './api.ts'

export interface StaffSession {
  readonly user: StaffUser
  readonly signOut: () => Promise<void>
}

const Session = createContext<StaffSession | undefined>(undefined)

/** Who works, below a `StaffSessionGate`. */
export function useSession(): StaffSession {
  const session = useContext(Session)
  if (session === undefined) throw new Error('there is no session above')
  return session
}

interface GateProps {
  /** The heading of the sign-in page. */
  readonly title: string
  /** What stands under the form of signing in. */
  readonly below?: ComponentChildren
  readonly children: ComponentChildren
}

/** Shows its children to somebody who has signed in, and the sign-in page to everybody else. */
export function StaffSessionGate({ title, below, children }: GateProps) {
  const known = useAnswer('session', whoAmI)
  const [signedIn, setSignedIn] = useState<StaffUser | null>()
  const user = (signedIn === undefined ? known.data : signedIn) ?? undefined
  const signOut = useCallback(async () => {
    await staff('DELETE /session')
    setSignedIn(null)
  }, [])
  if (user !== undefined) {
    return (
      <Session.Provider value={{ user, signOut }}>
        {children}
        <SignInAgain login={user.login} />
      </Session.Provider>
    )
  }
  if (signedIn === undefined && known.error === undefined && known.data === undefined) return null
  const isDown = signedIn === undefined && known.error !== undefined && known.error.status !== 401
  return (
    <main class="centred">
      <div class="panel stack">
        <h1>{title}</h1>
        {isDown ? (
          <Failure error={known.error} retry={known.reload} />
        ) : (
          <SignInForm signIn={async (given) => setSignedIn(await signIn(given))} />
        )}
        {below}
      </div>
    </main>
  )
}

function signIn(body: Credentials): Promise<StaffUser> {
  return staff('POST /session', { body })
}

const whyAgain = {
  ended: {
    title: 'Сессия закончилась',
    text: 'Войдите снова: введённое на странице сохранилось.',
  },
  password: {
    title: 'Введите пароль ещё раз',
    text: 'Ключи и пользователи меняются только после недавнего входа с паролем. Введённое на странице сохранилось.',
  },
} as const

/** The dialog over a page whose call needs the person to sign in again. What was typed on the page stays. */
function SignInAgain({ login }: { readonly login: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [because, setBecause] = useState<AskedBecause>('ended')
  const answered = useRef<(done: boolean) => void>(undefined)
  useEffect(() => {
    setSignInAgain((because) => {
      setBecause(because)
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
  return (
    <dialog ref={dialog} aria-labelledby="sign-in-again" onCancel={() => end(false)}>
      <div class="stack">
        <h2 id="sign-in-again">{whyAgain[because].title}</h2>
        <p>{whyAgain[because].text}</p>
        <SignInForm
          login={login}
          signIn={async (given) => {
            const user = await signIn(given)
            // Another person must not continue what this one began.
            if (user.login !== login) return location.reload()
            end(true)
          }}
        />
      </div>
    </dialog>
  )
}
