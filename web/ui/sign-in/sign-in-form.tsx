import { Failure } from '../failure.tsx'
import { Field, LoginField } from '../forms/field.tsx'
import { useAction } from '../forms/use-action.ts'
import { useAutofocus } from '../forms/use-autofocus.ts'

export interface Credentials {
  readonly login: string
  readonly password: string
}

interface SignInFormProps {
  readonly signIn: (credentials: Credentials) => Promise<unknown>
  /** The login that the dialog over a page fills in. */
  readonly login?: string
}

export function SignInForm({ signIn, login = '' }: SignInFormProps) {
  const action = useAction(signIn)
  const form = useAutofocus()
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        void action.run({
          login: String(form.get('login')).trim(),
          password: String(form.get('password')),
        })
      }}
    >
      <LoginField defaultValue={login} required autofocus={login === ''} />
      <Field
        name="password"
        label="Пароль"
        type="password"
        autocomplete="current-password"
        required
        autofocus={login !== ''}
      />
      <Failure error={action.error} />
      <button type="submit" class="primary" disabled={action.busy}>
        {action.busy ? 'Входим…' : 'Войти'}
      </button>
    </form>
  )
}
