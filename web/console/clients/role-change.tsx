import type { SellerMember } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { showToast } from '../../ui/toast.tsx'

/** What people of a client may do in the account; each role may what the ones before may. */
export const sellerRoles: Readonly<Record<SellerMember['role'], string>> = {
  viewer: 'смотрит',
  receipts: 'подаёт заявки на приёмку',
  owner: 'владелец: люди, ключи и вебхуки',
}

interface RoleChangeProps {
  readonly clientId: string
  readonly member: SellerMember
  readonly changed: () => void
}

/** The role of a seller's user; another one is taken at once, with a way back. */
export function RoleChange({ clientId, member, changed }: RoleChangeProps) {
  const path = { id: clientId, user_id: member.user_id }
  const put = async (role: SellerMember['role']) => {
    await staff('PATCH /clients/{id}/users/{user_id}', { path, body: { role } })
    changed()
  }
  const action = useAction(async (role: SellerMember['role']) => {
    await put(role)
    showToast(`${member.login}: ${sellerRoles[role]}`, () => put(member.role))
  })
  return (
    <>
      <select
        aria-label={`Роль ${member.login}`}
        value={member.role}
        disabled={action.busy}
        onChange={(event) => action.run(event.currentTarget.value as SellerMember['role'])}
      >
        {Object.entries(sellerRoles).map(([role, words]) => (
          <option key={role} value={role}>
            {words}
          </option>
        ))}
      </select>
      <Failure error={action.error} />
    </>
  )
}
