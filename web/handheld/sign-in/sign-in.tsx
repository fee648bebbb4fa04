import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isBadgeCode } from '../../../src/identity/staff/badge-code.ts'
import type { CallError } from '../../api/caller.ts'
import type { BadgeHolder, StaffUser } from '../../api/staff-calls.ts'
import { asCallError } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { EnrolForm } from '../../staff/enrol-form.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field, LoginField } from '../../ui/forms/field.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { useAutofocus } from '../../ui/forms/use-autofocus.ts'
import { SignInForm } from '../../ui/sign-in/sign-in-form.tsx'
import { useQueue } from '../queue/use-queue.ts'
import { listenForBadges } from '../scan/wedge.ts'
import { WedgeReader } from '../scan/wedge-reader.ts'
import { remembered, revokedCode } from './worker.ts'

type Way = 'pin' | 'password' | 'enrol'

export interface SignInProps {
  readonly onSignedIn: (user: StaffUser) => void
  readonly login?: string
  /** The service says that the device is revoked. */
  readonly isRevoked?: boolean
  /** In a dialog that has a heading of its own. */
  readonly isNested?: boolean
}

/** Signing in by PIN on an enrolled device, by password anywhere; enrolling the device by a manager's code. */
export function SignIn({ onSignedIn, login, isRevoked = false, isNested = false }: SignInProps) {
  const [terminal, setTerminal] = useState(remembered.terminal.get())
  const [way, setWay] = useState<Way>(terminal === undefined ? 'password' : 'pin')
  const [notice, setNotice] = useState<string>()
  const [revoked, setRevoked] = useState<string>()
  const onRevoked = () => {
    setRevoked(terminal === undefined ? '' : ` «${terminal}»`)
    setNotice(undefined)
    remembered.terminal.set(undefined)
    setTerminal(undefined)
    setWay('password')
  }
  useEffect(() => {
    if (isRevoked) onRevoked()
  }, [isRevoked])
  const onEnrolled = (name: string) => {
    remembered.terminal.set(name)
    setTerminal(name)
    setNotice(`Терминал «${name}» зарегистрирован: входите по PIN.`)
    setWay('pin')
  }
  const [scanned, setScanned] = useState<string>()
  const mayEnrol = terminal === undefined && !isNested
  const badge = useBadge(onRevoked)
  const onScan = (code: string) => {
    if (isBadgeCode(code)) {
      if (terminal === undefined) return setNotice(noBadgeHere)
      setWay('pin')
      void badge.read(code)
    } else if (mayEnrol) {
      setScanned(code)
      setWay('enrol')
    }
  }
  useSignInScan(onScan, isNested)
  return (
    // Over a task, scans go on while the form waits for its worker.
    <div class="stack" data-typed={isNested ? 'or-scanned' : true}>
      {!isNested && <h1>{way === 'enrol' ? 'Регистрация терминала' : 'Вход'}</h1>}
      {revoked !== undefined && <Revoked terminal={revoked} />}
      {notice !== undefined && (
        <p class="notice warn" role="alert">
          {notice}
        </p>
      )}
      {way === 'pin' && (
        <PinForm
          key={badge.scans}
          login={badge.holder?.login ?? login}
          badge={badge}
          onSignedIn={onSignedIn}
          onRevoked={onRevoked}
        />
      )}
      {way === 'password' && (
        <SignInForm
          {...(login === undefined ? {} : { login })}
          signIn={async (body) => onSignedIn(await staff('POST /session', { body }))}
        />
      )}
      {way === 'enrol' && (
        <EnrolForm key={scanned} purpose="HANDHELD" scanned={scanned} onEnrolled={onEnrolled} />
      )}
      <OtherWays way={way} mayEnrol={mayEnrol} choose={setWay} />
    </div>
  )
}

/** A manager has revoked the device. Scans that wait on it are not lost: what becomes of them is said. */
function Revoked({ terminal }: { readonly terminal: string }) {
  const waiting = useQueue().entries.filter(({ state }) => state === 'waiting').length
  return (
    <p class="notice warn" role="alert">
      Терминал{terminal} отозван, по PIN на нём не войти.{' '}
      {waiting === 0
        ? 'Отдайте его менеджеру.'
        : `На нём ждут сканы: ${waiting}. Войдите по паролю, и они уйдут. Нет пароля — отдайте терминал менеджеру: он войдёт и передаст их.`}
    </p>
  )
}

const noBadgeHere =
  'По бейджу входят на зарегистрированном терминале: войдите по паролю или зарегистрируйте этот.'

interface ReadBadge {
  /** Whose badge was scanned last; undefined while none was read. */
  readonly holder: BadgeHolder | undefined
  /** How many were scanned: each begins the form anew, so that nothing of the code stays in a field. */
  readonly scans: number
  readonly error: CallError | undefined
  readonly read: (code: string) => Promise<void>
}

/** Asks whose badge it is. It fills in the person; the PIN is still asked. */
function useBadge(onRevoked: () => void): ReadBadge {
  const [state, setState] = useState<Omit<ReadBadge, 'read'>>({
    ...{ holder: undefined, scans: 0, error: undefined },
  })
  const read = async (badge: string) => {
    setState(({ scans }) => ({ holder: undefined, scans: scans + 1, error: undefined }))
    try {
      const holder = await staff('POST /session/badge', { body: { badge } })
      setState(({ scans }) => ({ holder, scans: scans + 1, error: undefined }))
    } catch (failure) {
      const error = asCallError(failure)
      if (error.code === revokedCode) onRevoked()
      else setState(({ scans }) => ({ holder: undefined, scans, error }))
    }
  }
  return { ...state, read }
}

const enrolmentCode = /^[2-9A-Z]{5}-[2-9A-Z]{5}$/

/**
 * Hears a manager's code that is scanned from the screen or the label, and badges, whatever field has the focus. Over a task
 * the task's own reader hears badges.
 */
function useSignInScan(onScan: (code: string) => void, isNested: boolean): void {
  const latest = useRef(onScan)
  latest.current = onScan
  useLayoutEffect(() => {
    let isTaken = false
    const reader = new WedgeReader((code) => {
      isTaken = enrolmentCode.test(code) || isBadgeCode(code)
      if (isTaken) latest.current(code)
    })
    if (isNested) return listenForBadges((code) => latest.current(code))
    const onKey = (event: KeyboardEvent) => {
      isTaken = false
      reader.press(event, event.target instanceof HTMLInputElement)
      // The form that had the focus must not be sent by the scanner's Enter.
      if (isTaken) event.preventDefault()
    }
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [])
}

interface OtherWaysProps {
  readonly way: Way
  readonly mayEnrol: boolean
  readonly choose: (way: Way) => void
}

function OtherWays({ way, mayEnrol, choose }: OtherWaysProps) {
  return (
    <div class="stack ways">
      {way !== 'password' && (
        <button type="button" onClick={() => choose('password')}>
          Войти по паролю
        </button>
      )}
      {way !== 'pin' && remembered.terminal.get() !== undefined && (
        <button type="button" onClick={() => choose('pin')}>
          Войти по PIN
        </button>
      )}
      {way !== 'enrol' && mayEnrol && (
        <button type="button" onClick={() => choose('enrol')}>
          Зарегистрировать терминал
        </button>
      )}
    </div>
  )
}

interface PinFormProps {
  readonly login: string | undefined
  readonly badge: ReadBadge
  readonly onSignedIn: (user: StaffUser) => void
  readonly onRevoked: () => void
}

function PinForm({ login, badge, onSignedIn, onRevoked }: PinFormProps) {
  const [failure, setFailure] = useState<CallError>()
  const [chosen, setChosen] = useState(login ?? remembered.logins.get()?.[0] ?? '')
  const action = useAction(async (pin: string) => {
    setFailure(undefined)
    try {
      onSignedIn(await staff('POST /session/pin', { body: { login: chosen.trim(), pin } }))
    } catch (error) {
      const failed = asCallError(error)
      if (failed.code === revokedCode) return onRevoked()
      setFailure(failed)
    }
  })
  const form = useAutofocus()
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void action.run(String(new FormData(event.currentTarget).get('pin')))
      }}
    >
      <Failure error={badge.error} />
      {badge.holder === undefined ? (
        <>
          <p class="quiet">Отсканируйте бейдж или введите логин.</p>
          <Colleagues chosen={chosen} choose={setChosen} />
        </>
      ) : (
        <p role="status">
          <strong>{badge.holder.name}</strong>
        </p>
      )}
      <LoginField
        value={chosen}
        onInput={(event) => setChosen(event.currentTarget.value)}
        required
      />
      <Field
        name="pin"
        label="PIN"
        type="password"
        inputmode="numeric"
        autocomplete="off"
        required
        autofocus
      />
      <Failure error={failure} />
      <button type="submit" class="primary" disabled={action.busy}>
        {action.busy ? 'Входим…' : 'Войти'}
      </button>
    </form>
  )
}

interface ColleaguesProps {
  readonly chosen: string
  readonly choose: (login: string) => void
}

/** Who has worked on this device: one tap instead of typing. */
function Colleagues({ chosen, choose }: ColleaguesProps) {
  const logins = remembered.logins.get() ?? []
  if (logins.length < 2) return null
  const names = remembered.names.get()
  return (
    <div class="row">
      {logins.map((login) => (
        <button
          key={login}
          type="button"
          aria-pressed={login === chosen}
          class={login === chosen ? 'chosen' : ''}
          onClick={() => choose(login)}
        >
          {names?.[login] ?? login}
        </button>
      ))}
    </div>
  )
}
