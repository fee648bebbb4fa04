import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { CallError } from '../../api/caller.ts'
import type { StaffUser } from '../../api/staff-calls.ts'
import { asCallError, useAnswer } from '../../api/use-answer.ts'
import { actAs, staff, whoAmI } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { setSignInAgain } from '../../ui/sign-in/sign-in-again.ts'
import { useModule } from '../../ui/use-module.ts'
import { queueState, workAs } from '../queue/queue.ts'
import { useQueue } from '../queue/use-queue.ts'
import { WaitingWork } from '../waiting/waiting.tsx'
import type { SignInProps } from './sign-in.tsx'
import { remembered, revokedCode, WorkerContext } from './worker.ts'

/** A dead Wi-Fi does not refuse: it never answers. */
const patienceMs = 3_000

/** Shows its children to a worker who has signed in. Without network whoever worked last goes on. */
export function Gate({ children }: { readonly children: ComponentChildren }) {
  const known = useAnswer('session', whoAmI)
  const [signedIn, setSignedIn] = useState<StaffUser | null>()
  const isLate = useLater(patienceMs)
  const isAway = known.error === undefined ? isLate : known.error.code === 'offline'
  const found =
    known.data ?? (isAway && known.data === undefined ? remembered.worker.get() : undefined)
  const user = signedIn === undefined ? found : (signedIn ?? undefined)
  useEffect(() => {
    if (user !== undefined) remember(user)
    actAs(user?.id)
    void workAs(user)
  }, [user?.id])
  const enter = (next: StaffUser) => {
    setSignedIn(next)
    announceSignIn()
  }
  const signOut = useCallback(async () => {
    await staff('DELETE /session')
    remembered.worker.set(undefined)
    setSignedIn(null)
  }, [])
  if (user !== undefined) {
    return (
      <WorkerContext.Provider value={{ ...user, signOut }}>
        {children}
        <SignInAgain user={user} />
      </WorkerContext.Provider>
    )
  }
  if (signedIn === undefined && known.error === undefined && known.data === undefined) {
    return (
      <main class="centred" aria-busy="true">
        <p class="quiet">Открываем…</p>
      </main>
    )
  }
  const isDown = signedIn === undefined && known.error !== undefined && known.error.status !== 401
  return (
    <main class="centred">
      <div class="panel stack">
        {isDown ? (
          <Failure error={known.error} retry={known.reload} />
        ) : (
          <SignIn onSignedIn={enter} isRevoked={known.error?.code === revokedCode} />
        )}
        <WaitingWork />
      </div>
    </main>
  )
}

const loadForms = () => import('./sign-in.tsx')
// At once where they will be needed.
if (remembered.worker.get() === undefined) loadForms().catch(() => undefined)

function SignIn(props: SignInProps) {
  const forms = useModule(loadForms)
  return forms === undefined ? <p class="quiet">Открываем…</p> : <forms.SignIn {...props} />
}

function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLater
}

function remember(user: StaffUser): void {
  remembered.worker.set(user)
  const others = (remembered.logins.get() ?? []).filter((login) => login !== user.login)
  remembered.logins.set([user.login, ...others].slice(0, 6))
  remembered.names.set({ ...remembered.names.get(), [user.login]: user.name })
}

/** The dialog over a page whose session has ended; the page and the queue stay as they are. */
function SignInAgain({ user }: { readonly user: StaffUser }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const answered = useRef<(done: boolean) => void>(undefined)
  const [isOpen, setOpen] = useState(false)
  const [why, setWhy] = useState<CallError>()
  const { connection } = useQueue()
  const end = (done: boolean) => {
    answered.current?.(done)
    dialog.current?.close()
    setOpen(false)
  }
  const open = useCallback(() => {
    setOpen(true)
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [])
  useEffect(() => {
    setSignInAgain(() => {
      open()
      return new Promise((resolve) => {
        answered.current = resolve
      })
    })
    return () => {
      setSignInAgain(undefined)
      answered.current?.(false)
    }
  }, [])
  useEffect(() => {
    if (connection === 'signed-out') open()
  }, [connection])
  useEffect(() => {
    if (!isOpen) return
    const look = async () => {
      try {
        await staff('GET /session')
        goOn()
      } catch (failure) {
        setWhy(asCallError(failure))
      }
    }
    void look()
    return onSignInElsewhere(look)
  }, [isOpen])
  const goOn = () => {
    end(true)
    void workAs(user)
  }
  const onSignedIn = (next: StaffUser) => {
    announceSignIn()
    // Another worker must not go on with what this one began.
    if (next.id !== user.id) {
      remember(next)
      location.assign('/staff/scan')
      return
    }
    goOn()
  }
  const waiting = queueState().entries.filter(({ state }) => state === 'waiting').length
  const isRevoked = why?.code === revokedCode
  return (
    <dialog
      ref={dialog}
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
    >
      {isOpen && (
        <div class="stack">
          <h2 id="sign-in-again">Войдите снова</h2>
          <p>
            Вход закончился.
            {waiting > 0 && !isRevoked && ` Сканы сохранены: ${waiting}, они уйдут после входа.`}
          </p>
          <SignIn onSignedIn={onSignedIn} login={user.login} isRevoked={isRevoked} isNested />
        </div>
      )}
    </dialog>
  )
}

/** All tabs of a browser share one session: one says to the others when somebody has signed in. */

const channel =
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('sklad-session')

function announceSignIn(): void {
  channel?.postMessage('signed-in')
}

function onSignInElsewhere(listener: () => void): () => void {
  channel?.addEventListener('message', listener)
  return () => channel?.removeEventListener('message', listener)
}
