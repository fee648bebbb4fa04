import type { SellerMember } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'

interface PasswordLinkProps {
  readonly clientId: string
  readonly member: SellerMember
  readonly onMade: (link: string) => void
}

/** For whoever forgot the password, or lost the phone with the one-time codes. */
export function PasswordLink({ clientId, member, onMade }: PasswordLinkProps) {
  const { user_id, login, two_factor: hasCodes } = member
  const make = (drops_codes: boolean) => async () => {
    const path = { id: clientId, user_id }
    const body = { drops_codes }
    onMade((await staff('POST /clients/{id}/users/{user_id}/password-link', { path, body })).link)
  }
  return (
    <>
      <ConfirmButton
        label="Новый пароль"
        question={`Дать ${login} ссылку для нового пароля?`}
        consequence="По ней человек задаст новый пароль. Прежний действует, пока он этого не сделал."
        act={make(false)}
      />
      {hasCodes && (
        <ConfirmButton
          label="Потерян телефон"
          question={`Дать ${login} ссылку, по которой коды не нужны?`}
          consequence="По ней человек задаст новый пароль, и вход станет без одноразового кода. Убедитесь, что это он."
          danger
          act={make(true)}
        />
      )}
    </>
  )
}
