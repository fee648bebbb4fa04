import { exceptionKindLabels } from '../../../src/warehouse/exceptions/kinds.ts'
import type { ScanException } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Facts } from '../../ui/facts.tsx'
import { Choice, oneOfChoices, TextField } from '../../ui/forms/form.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ObjectPhotos } from '../parts/object-photos.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { ObjectLink } from './exceptions.tsx'
import { ScanFacts } from './scan-facts.tsx'

/** One exception with what was scanned, and the manager's decision on it. */
export function Decision({ id }: { readonly id: string }) {
  const { data, error, reload } = useAnswer(`exception ${id}`, (signal) =>
    staff('GET /exceptions/{id}', { path: { id }, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  return (
    <div class="stack">
      <DecisionForm exception={data} />
      <ObjectPhotos of="exceptions" id={id} />
    </div>
  )
}

function DecisionForm({ exception }: { readonly exception: ScanException }) {
  const decisions = decisionsOf(exception)
  const facts = (
    <>
      <p class="notice warn">{exception.reason}</p>
      <Facts
        of={{
          Объект: <ObjectLink of={exception} />,
          Клиент: exception.client_name,
          Сотрудник: exception.queued_by_name ?? exception.queued_by,
          Отсканировано: <Moment at={exception.queued_at} />,
        }}
      />
      <ScanFacts of={exception} />
    </>
  )
  if (exception.status === 'RESOLVED') {
    return (
      <div class="stack">
        <h2>{exceptionKindLabels[exception.kind]}</h2>
        {facts}
        <p>
          {exception.decision && decisions[exception.decision]}: {exception.comment}
        </p>
      </div>
    )
  }
  return (
    <OpenedForm
      title={exceptionKindLabels[exception.kind]}
      submit="Решить"
      by={['decide']}
      act={async (values, close) => {
        await staff('POST /exceptions/{id}/resolve', {
          path: { id: exception.id },
          body: {
            decision: oneOfChoices(values, 'decision', decisions),
            comment: values.text('comment'),
          },
        })
        showToast('Исключение решено')
        close()
      }}
    >
      {facts}
      <Choice
        name="decision"
        label="Решение"
        options={Object.entries(decisions).map(([value, text]) => ({ value, text }))}
      />
      <TextField name="comment" label="Что выяснили и что сделали" required />
    </OpenedForm>
  )
}

/** Of a scan that came late. */
const exceptionDecisions = {
  accepted: 'Принять скан сейчас',
  entered: 'Уже учтено вручную',
  dismissed: 'Учитывать нечего',
} as const satisfies Readonly<Record<NonNullable<ScanException['decision']>, string>>

/** The same of a unit that was set aside, the usual one first. */
const asideDecisions = {
  dismissed: 'Не отгружать: заказу нужна другая единица',
  accepted: 'Вернуть единицу в заказ и отправить код снова',
  entered: 'Уже учтено вручную',
} as const satisfies Readonly<Record<keyof typeof exceptionDecisions, string>>

export function decisionsOf({ sent_by: by }: Pick<ScanException, 'sent_by'>) {
  return by.startsWith('staff:') ? exceptionDecisions : asideDecisions
}
