import {
  allowsReceiptVerb,
  type ReceiptVerb,
  refusalOfReceipt,
} from '../../../src/warehouse/receipts/state.ts'
import type { StaffReceipt } from '../../api/staff-calls.ts'
import { paths as handheld } from '../../handheld/paths.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAddress } from '../../ui/address.ts'
import { Because } from '../../ui/because.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { TextField } from '../../ui/form.tsx'
import { HandheldLink } from '../parts/handheld-link.tsx'
import { Paper } from '../parts/paper.tsx'
import { isAtLeast } from '../rooms.ts'

interface ActionsProps {
  readonly receipt: StaffReceipt
  readonly reload: () => void
}

/** What can be done to the receipt now: the next step is the button of weight. */
export function ReceiptActions({ receipt, reload }: ActionsProps) {
  const manages = isAtLeast(useSession().user, 'manager')
  const { hrefWith } = useAddress()
  const { id, status, version } = receipt
  const because = becauseOf(status)
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
      {allowsReceiptVerb(status, 'count') && <HandheldLink href={handheld.receiving(id)} />}
      {allowsReceiptVerb(status, 'finish') ? (
        <a class="button" href={hrefWith({ form: 'finish' })}>
          Закончить
        </a>
      ) : (
        <Because label="Закончить" because={because('finish') ?? ''} />
      )}
      {manages && receipt.walk_in && <Approve receipt={receipt} reload={reload} />}
      {manages && <Cancel receipt={receipt} reload={reload} />}
      <Paper kind="receipt" id={id} label="Акт" />
    </>
  )
}

function Approve({ receipt, reload }: ActionsProps) {
  const { id, number: name, status, approved_at: at } = receipt
  return (
    <ConfirmButton
      label="Одобрить"
      question={`Одобрить ${name}?`}
      consequence="Её единицы перестанут быть под вопросом, продавец сможет их продавать. Отменить одобрение нельзя."
      because={at === null ? becauseOf(status)('approve') : 'Приёмку уже одобрили'}
      act={async () => {
        await staff('POST /receipts/{id}/approve', { path: { id } })
        reload()
      }}
    />
  )
}

/** The service takes a comment of so many characters. */
const commentMax = 500

function Cancel({ receipt: { id, number: name, status }, reload }: ActionsProps) {
  return (
    <ConfirmButton
      danger
      label="Отменить"
      question={`Отменить ${name}?`}
      consequence="Приёмка закончится без единой принятой штуки. Вернуть её будет нельзя."
      because={becauseOf(status)('cancel')}
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

/** Why the status forbids a verb; undefined where it allows it. */
function becauseOf(status: StaffReceipt['status']) {
  return (verb: ReceiptVerb) =>
    allowsReceiptVerb(status, verb) ? undefined : refusalOfReceipt(status, verb)
}
