import { useRef } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import type { StaffStockItem } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Choice, type FormValues, TextField } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { moment, number } from '../../words/format.ts'
import { OpenedForm } from '../parts/opened-form.tsx'
import { sendEntryPhoto } from '../parts/photo-of-file.ts'
import { pathOf } from '../paths.ts'
import { CommentField, DeltaField, LossChoice, ReasonChoice } from './correction-fields.tsx'
import { PhotoField, type PhotoToSend } from './photo-field.tsx'

export const stockChanges = {
  correct: 'Скорректировать остаток',
  'write-off': 'Списать',
  question: 'Поставить под вопрос',
  resolve: 'Закончить расследование',
} as const
export type StockChange = keyof typeof stockChanges

interface StockFormProps {
  readonly change: StockChange
  readonly clientId: string
  readonly barcode: string
}

/** Changes the stock of one kind of goods, which it names with its units. */
export function StockForm(props: StockFormProps) {
  const { clientId, barcode } = props
  const { data, error, reload } = useAnswer(`stock of ${clientId} ${barcode}`, (signal) =>
    staff('GET /clients/{id}/stock', { path: { id: clientId }, query: { barcode }, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  return <ChangeForm {...props} item={data.items[0]} />
}

interface ChangeFormProps extends StockFormProps {
  readonly item: StaffStockItem | undefined
}

/** A second click makes no second entry. */
function ChangeForm({ change, clientId, barcode, item }: ChangeFormProps) {
  const entry = useRef(newId())
  const photo: PhotoToSend = useRef(undefined)
  return (
    <OpenedForm
      title={stockChanges[change]}
      submit={stockChanges[change]}
      act={async (values, close) => {
        const body = await photo.current
        const item = await save(change, clientId, {
          values,
          barcode,
          comment: values.optional('comment'),
          entry_id: entry.current,
        })
        if (body !== undefined)
          await sendEntryPhoto({ client: clientId, entry: entry.current }, body)
        showToast(`${item.name}: остаток ${item.quantity}, под вопросом ${item.in_question}`)
        close()
      }}
    >
      <p>
        {item?.name} <code class="small quiet">{barcode}</code>
        {item && (
          <span class="small quiet">
            <br />
            Остаток {number(item.quantity)}, под вопросом {number(item.in_question)}
          </span>
        )}
      </p>
      {change === 'resolve' && <Questions clientId={clientId} barcode={barcode} />}
      {change === 'correct' ? (
        <DeltaField />
      ) : (
        <TextField
          name="qty"
          type="number"
          min={1}
          label="Сколько единиц"
          defaultValue={change === 'resolve' ? (item?.in_question ?? '') : ''}
          required
        />
      )}
      {change === 'resolve' && <Outcome />}
      {change === 'correct' && <ReasonChoice value="COUNT" />}
      {(change === 'write-off' || change === 'question') && <LossChoice />}
      <CommentField />
      <PhotoField photo={photo} />
    </OpenedForm>
  )
}

/** What the investigation is about: why the units are in question, since when, and of which receipt. */
function Questions({ clientId: id, barcode }: Pick<StockFormProps, 'clientId' | 'barcode'>) {
  const { data, error, reload } = useAnswer(`questions of ${id} ${barcode}`, (signal) =>
    staff('GET /clients/{id}/in-question/{barcode}', { path: { id, barcode }, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  return (
    <ul class="small" aria-label="Что под вопросом">
      {data.items.map(({ reason, label, units, since, receipt_id, receipt_number }) => (
        <li key={`${reason} ${receipt_id}`}>
          {number(units)} шт. · {label.toLowerCase()}
          {receipt_id !== undefined && (
            <>
              {' · '}
              <a href={pathOf('receipt', receipt_id)}>
                {receipt_number === undefined ? 'приёмка' : `приёмка ${receipt_number}`}
              </a>
            </>
          )}
          {' · '}
          {moment(since)}
        </li>
      ))}
    </ul>
  )
}

function Outcome() {
  return (
    <Choice
      name="outcome"
      label="Чем кончилось"
      options={[
        { value: 'found', text: 'Нашлись: снова свободны' },
        { value: 'written_off', text: 'Списать' },
      ]}
    />
  )
}

interface Given {
  readonly values: FormValues
  readonly barcode: string
  readonly comment: string | undefined
  readonly entry_id: string
}

function save(change: StockChange, clientId: string, { values, ...common }: Given) {
  const path = { id: clientId }
  const qty = Number(values.text('qty'))
  const reason = values.text('reason')
  if (change === 'correct') {
    const delta = Number(values.text('delta'))
    return staff('POST /clients/{id}/corrections', { path, body: { ...common, delta, reason } })
  }
  if (change === 'write-off') {
    return staff('POST /clients/{id}/write-offs', { path, body: { ...common, qty, reason } })
  }
  if (change === 'question') {
    return staff('POST /clients/{id}/in-question', { path, body: { ...common, qty, reason } })
  }
  const outcome = values.text('outcome') === 'found' ? 'found' : 'written_off'
  return staff('POST /clients/{id}/in-question/resolve', {
    path,
    body: { ...common, qty, outcome },
  })
}
