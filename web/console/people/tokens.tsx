import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { StaffToken, StaffUser } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Waiting } from '../../ui/waiting.tsx'

interface TokensProps {
  readonly user: StaffUser
  /** Changes when a token was issued. */
  readonly version: unknown
}

/** Programs that work for a user. */
export function Tokens({ user, version }: TokensProps) {
  const path = { id: user.id }
  const { data, error, reload } = useAnswer(`tokens ${user.id} ${String(version)}`, (signal) =>
    staff('GET /users/{id}/tokens', { path, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (data.items.length === 0) return <p class="quiet small">Токенов ещё нет.</p>
  const revoke = async (token: string) => {
    const of = { ...path, token_id: token }
    await staff('DELETE /users/{id}/tokens/{token_id}', { path: of })
    reload()
  }
  return (
    <ul class="journal" aria-label="Токены">
      {data.items.map((token) => (
        <Token key={token.id} token={token} revoke={() => revoke(token.id)} />
      ))}
    </ul>
  )
}

interface TokenProps {
  readonly token: StaffToken
  readonly revoke: () => Promise<void>
}

function Token({ token, revoke }: TokenProps) {
  const { name, preview, revoked_at: revoked, last_used_at: used } = token
  return (
    <li>
      <div>
        {name} <code class="small">{preview}</code>
      </div>
      <div class="small quiet">
        {revoked === null ? (
          <>
            Запрос: <Moment at={used} none="ещё не было" />
          </>
        ) : (
          <>
            Отозван: <Moment at={revoked} />
          </>
        )}
      </div>
      {revoked === null && (
        <ConfirmButton
          label="Отозвать"
          question={`Отозвать токен ${quoted(name)}?`}
          consequence="Программа с этим токеном сразу перестанет работать. Вернуть токен нельзя, можно выпустить новый."
          danger
          act={revoke}
        />
      )}
    </li>
  )
}
