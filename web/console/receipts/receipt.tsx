import { useRoute } from 'preact-iso'
import { allowsReceiptVerb } from '../../../src/warehouse/receipts/state.ts'
import type { StaffReceipt } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { number } from '../../words/format.ts'
import { receiptTones, receiptWords } from '../../words/statuses.ts'
import { ChargeLink } from '../money/charge-link.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { ObjectPhotos } from '../parts/object-photos.tsx'
import { Finish } from './finish.tsx'
import { ReceiptActions } from './receipt-actions.tsx'
import { ReceiptLines } from './receipt-lines.tsx'
import { ReceiptScans } from './receipt-scans.tsx'

const tabs = { lines: 'Товары', scans: 'Сканы' } as const

export default function ReceiptPage() {
  const id = useRoute().params.id ?? ''
  const { query } = useAddress()
  const answer = useAnswer(
    `receipt ${id}`,
    (signal) => staff('GET /receipts/{id}', { path: { id }, signal }),
    { refreshMs: 10_000 },
  )
  const { data: receipt, error, reload } = answer
  if (receipt === undefined) return <NotOpened error={error} retry={reload} />
  const tab = query.tab === 'scans' ? 'scans' : 'lines'
  const finishes = query.form === 'finish' && allowsReceiptVerb(receipt.status, 'finish')
  return (
    <div class="stack">
      <Heading
        title={`Приёмка ${receipt.number}`}
        about={
          <>
            <Badge tone={receiptTones[receipt.status]} word={receiptWords[receipt.status]} />{' '}
            <ClientLink id={receipt.client_id} name={receipt.client_name} />
          </>
        }
      >
        <ReceiptActions receipt={receipt} reload={reload} />
      </Heading>
      <Failure error={error} retry={reload} />
      <Questions receipt={receipt} />
      <Beside form={finishes && <Finish receipt={receipt} done={reload} />}>
        <div class="object">
          <div class="stack">
            <Tabs name="Части приёмки" tabs={tabs} current={tab} />
            {tab === 'scans' ? (
              <ReceiptScans receipt={receipt} onChange={reload} />
            ) : (
              <ReceiptLines receipt={receipt} isCounted={!uncounted.includes(receipt.status)} />
            )}
          </div>
          <div class="stack">
            <About receipt={receipt} />
            <ObjectPhotos of="receipts" id={id} />
            <ObjectJournal id={id} version={receipt.status} />
          </div>
        </div>
      </Beside>
    </div>
  )
}

const uncounted: readonly StaffReceipt['status'][] = ['PENDING_CONFIRMATION', 'EXPECTED']

/** What a manager has to look into. */
function Questions({ receipt }: { readonly receipt: StaffReceipt }) {
  const lines = receipt.items ?? []
  const twice = lines.flatMap(({ also_expected_in: others = [] }) => others)
  const numbers = [...new Set(twice.map(({ number: name }) => name))]
  return (
    <>
      {receipt.walk_in && receipt.approved_at === null && (
        <p class="notice warn">
          Приёмка без документа: её единицы под вопросом, пока менеджер её не одобрит.
        </p>
      )}
      {numbers.length > 0 && (
        <p class="notice warn">
          Эти товары заявлены и в {numbers.join(', ')}: проверьте, не одна ли это поставка.
        </p>
      )}
    </>
  )
}

const sources = { api: 'система продавца', file: 'файл', manual: 'вручную' } as const

function About({ receipt }: { readonly receipt: StaffReceipt }) {
  return (
    <section class="panel stack" aria-label="О приёмке">
      <Facts
        of={{
          Заявлено: number(receipt.expected_qty),
          Принято: number(receipt.accepted_qty),
          'Не хватает': receipt.short_qty > 0 && number(receipt.short_qty),
          'Сверх заявки': receipt.surplus_qty > 0 && number(receipt.surplus_qty),
          Источник: receipt.source && sources[receipt.source],
          Документ: receipt.external_ref,
          Комментарий: receipt.comment,
          Ждут: receipt.planned_date && <Moment at={receipt.planned_date} />,
          Создана: <Moment at={receipt.created_at} />,
          Подтверждена: receipt.confirmed_at && <Moment at={receipt.confirmed_at} />,
          Завершена: receipt.completed_at && <Moment at={receipt.completed_at} />,
          'Почему отменена': receipt.cancel_comment,
        }}
      />
      <ChargeLink of="receipt" object={receipt} />
    </section>
  )
}
