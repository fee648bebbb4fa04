import { exceptionKindLabels } from '../../../src/warehouse/exceptions/kinds.ts'
import type { Today } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { moment, number } from '../../words/format.ts'
import { countWords, receiptWords } from '../../words/statuses.ts'
import { isCounted } from '../counts/count-state.tsx'
import { listOf, pathOf, paths } from '../paths.ts'
import { ButtonLink, came, type Item, Section, Thing } from './section.tsx'

/** A press here opens the receipt: its page warns of goods that are announced twice. */
export function ReceiptCard({ receipt }: { readonly receipt: Item<Today['receipts']> }) {
  const href = pathOf('receipt', receipt.receipt_id)
  return (
    <>
      <Thing href={href} title={receipt.number}>
        {receipt.client_name} · {number(receipt.expected_qty || receipt.accepted_qty)} шт. ·{' '}
        {moment(receipt.created_at)}
      </Thing>
      <ButtonLink href={href} label="Проверить" of={receipt.number} />
    </>
  )
}

interface ExceptionCardProps {
  readonly exception: Item<Today['exceptions']>
  readonly reload: () => void
}

/** A late scan is taken now, as if it came in time; a unit that was set aside stays so. */
const usualFixes = {
  scan: {
    decision: 'accepted',
    label: 'Принять скан',
    question: 'Принять скан?',
    consequence: 'Скан учтут, как если бы он пришёл вовремя. Решение не отменяется.',
    comment: 'Принят с первой страницы',
    done: 'Скан принят',
  },
  aside: {
    decision: 'dismissed',
    label: 'Не отгружать',
    question: 'Не отгружать эту единицу?',
    consequence:
      'Она останется на складе с прежним остатком, а заказу нужна другая. Решение не отменяется.',
    comment: 'Единица отложена: её код маркировки не приняли',
    done: 'Единица отложена',
  },
} as const

/** The usual fix is one press. */
export function ExceptionCard({ exception, reload }: ExceptionCardProps) {
  const { exception_id: id, client_name: client, kind, reason, created_at: at } = exception
  const fix = usualFixes[exception.set_aside ? 'aside' : 'scan']
  return (
    <>
      <Thing title={reason}>
        {!exception.set_aside && `${exceptionKindLabels[kind]} · `}
        {client} · {moment(at)}
      </Thing>
      <div class="row">
        <ConfirmButton
          label={fix.label}
          question={fix.question}
          consequence={`${reason}. ${fix.consequence}`}
          act={async () => {
            const { decision, comment } = fix
            const body = { decision, comment }
            await staff('POST /exceptions/{id}/resolve', { path: { id }, body })
            showToast(fix.done)
            reload()
          }}
        />
        <ButtonLink
          href={listOf(paths.exceptions, { status: 'OPEN', decide: id })}
          label="Решить"
          of={reason}
        />
      </div>
    </>
  )
}

export function Receiving({ receiving }: { readonly receiving: Today['receiving'] }) {
  return (
    <Section
      title="Принимают и ждут"
      href={paths.receipts}
      {...receiving}
      keyOf={({ receipt_id: id }) => id}
      item={(receipt) => (
        <>
          <Thing href={pathOf('receipt', receipt.receipt_id)} title={receipt.number}>
            {receipt.client_name} · {receiptWords[receipt.status].toLowerCase()} ·{' '}
            {came(receipt.accepted_qty, receipt.expected_qty)}
            {receipt.planned_date && ` · ждут ${moment(receipt.planned_date)}`}
          </Thing>
          <ButtonLink
            href={pathOf('receipt', receipt.receipt_id)}
            label={receipt.status === 'EXPECTED' ? 'Принять' : 'Открыть'}
            of={receipt.number}
          />
        </>
      )}
    />
  )
}

export function CountCard({ count }: { readonly count: Item<Today['counts']> }) {
  const { count_id: id, client_name: client, status, started_at: at, counted_by: by } = count
  return (
    <>
      <Thing href={pathOf('count', id)} title={client}>
        {isCounted(count) ? `посчитали: ${by.join(', ')}` : countWords[status].toLowerCase()} ·
        начат {moment(at)}
      </Thing>
      {status === 'REVIEW' ? (
        <ButtonLink href={`${pathOf('count', id)}?decide=next`} label="Решить" of={client} />
      ) : (
        <ButtonLink
          href={pathOf('count', id)}
          label={isCounted(count) ? 'Проверить' : 'Открыть'}
          of={client}
        />
      )}
    </>
  )
}
