import { allowsReceiptVerb } from '../../../src/warehouse/receipts/state.ts'
import type { StaffReceipt } from '../../api/staff-calls.ts'
import { paths as handheld } from '../../handheld/paths.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { TextField } from '../../ui/forms/form.tsx'
import { HandheldLink } from '../parts/handheld-link.tsx'
import { Paper } from '../parts/paper.tsx'
import { isAtLeast } from '../rooms.ts'

interface ActionsProps {
  readonly receipt: StaffReceipt
  readonly reload: () => void
}

/** What can be done to the receipt now; the next step is the main button. */
export function ReceiptActions({ receipt, reload }: ActionsProps) {
  const manages = isAtLeast(useSession().user, 'manager')
  const { hrefWith } = useAddress()
  const { id, status, version } = receipt
  const act = (call: () => Promise<unknown>) => async () => {
    await call()
    reload()
  }
  return (
    <>
      {manages && status === 'PENDING_CONFIRMATION' && (
        <ActionButton
          primary
          label="Подтвердить"
          act={() =>
            // After a refusal, too: it may tell of a version that has not been seen.
            staff('POST /receipts/{id}/confirm', { path: { id }, body: { version } }).finally(
              reload,
            )
          }
        />
      )}
      {status === 'EXPECTED' && (
        <ActionButton
          primary
          label="Начать приёмку"
          act={act(() => staff('POST /receipts/{id}/start', { path: { id } }))}
        />
      )}
      {allowsReceiptVerb(status, 'finish') && (
        <a class="button primary" href={hrefWith({ form: 'finish' })}>
          Закончить
        </a>
      )}
      {allowsReceiptVerb(status, 'count') && <HandheldLink href={handheld.receiving(id)} />}
      {manages && waitsForApproval(receipt) && <Approve receipt={receipt} reload={reload} />}
      <Paper kind="receipt" id={id} label="Акт" />
      {manages && allowsReceiptVerb(status, 'cancel') && (
        <Cancel receipt={receipt} reload={reload} />
      )}
    </>
  )
}

function waitsForApproval({ walk_in: walkIn, approved_at: at, status }: StaffReceipt): boolean {
  return walkIn && at === null && allowsReceiptVerb(status, 'approve')
}

function Approve({ receipt: { id, number: name, status }, reload }: ActionsProps) {
  return (
    <ConfirmButton
      // While goods are still counted, to finish comes first.
      primary={!allowsReceiptVerb(status, 'finish')}
      label="Одобрить"
      question={`Одобрить ${name}?`}
      consequence="Её единицы перестанут быть под вопросом, продавец сможет их продавать. Отменить одобрение нельзя."
      act={async () => {
        await staff('POST /receipts/{id}/approve', { path: { id } })
        reload()
      }}
    />
  )
}

/** Characters of the longest comment that the service takes. */
const commentMax = 500

function Cancel({ receipt: { id, number: name }, reload }: ActionsProps) {
  return (
    <ConfirmButton
      danger
      label="Отменить"
      question={`Отменить ${name}?`}
      consequence="Приёмка закончится без единой принятой штуки. Вернуть её будет нельзя."
      act={async (values) => {
        const comment = values.optional('comment')
        await staff('POST /receipts/{id}/cancel', { path: { id }, body: { comment } })
        reload()
      }}
    >
      <TextField
        name="comment"
        label="Почему"
        hint="Можно не писать. Продавец этого не увидит."
        maxlength={commentMax}
      />
    </ConfirmButton>
  )
}
