import { useState } from 'preact/hooks'
import type { MissWithPlaces } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Facts } from '../../ui/facts.tsx'
import { Choice, type FormValues, TextField } from '../../ui/forms/form.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { number } from '../../words/format.ts'
import { OpenedForm } from '../parts/opened-form.tsx'
import { lossesOf, useReasons } from '../parts/reasons.ts'
import { pathOf } from '../paths.ts'
import { type MissChoice, missChoiceOf, missChoices, placeWords } from './words.ts'

interface DecisionProps {
  readonly id: string
  readonly choice: MissChoice | undefined
}

/** One miss with what the stock says of its goods, and the manager's decision on it. */
export function MissDecision({ id, choice }: DecisionProps) {
  const { data, error, reload } = useAnswer(`miss ${id}`, (signal) =>
    staff('GET /misses/{id}', { path: { id }, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (data.status !== 'OPEN') {
    return (
      <div class="stack">
        <h2>{data.name}</h2>
        <MissFacts miss={data} />
        <p>{[data.outcome_label ?? data.status_label, data.comment].filter(Boolean).join(': ')}</p>
      </div>
    )
  }
  return <DecisionForm miss={data} choice={choice} />
}

interface DecisionFormProps {
  readonly miss: MissWithPlaces
  readonly choice: MissChoice | undefined
}

function DecisionForm({ miss, choice }: DecisionFormProps) {
  const [chosen, choose] = useState<MissChoice>(choice ?? usualChoice(miss))
  return (
    <OpenedForm
      title={`Не нашли: ${miss.name}`}
      submit="Решить"
      by={['decide', 'decision']}
      act={async (values, close) => {
        const decided = await send(miss, chosen, values)
        showToast(`${decided.order_external_id}: ${decided.outcome_label?.toLowerCase()}`)
        close()
      }}
    >
      <MissFacts miss={miss} />
      <Choice
        name="decision"
        label="Что сделать"
        value={chosen}
        options={Object.entries(missChoices).map(([value, text]) => ({ value, text }))}
        onChange={(value) => choose(missChoiceOf(value) ?? chosen)}
      />
      {chosen === 'look_elsewhere' ? <Places miss={miss} /> : <Reason choice={chosen} />}
      <TextField
        name="comment"
        label="Комментарий"
        {...(chosen === 'look_elsewhere' ? { hint: 'Его увидит сборщик' } : {})}
      />
    </OpenedForm>
  )
}

/** Goods that lie elsewhere are taken there; without free units the order can't be collected. */
function usualChoice({ places, free, missing }: MissWithPlaces): MissChoice {
  if (places.length > 0) return 'look_elsewhere'
  return free >= missing ? 'correct_stock' : 'remove_order'
}

function MissFacts({ miss }: { readonly miss: MissWithPlaces }) {
  return (
    <Facts
      of={{
        Заказ: <a href={pathOf('order', miss.order_id)}>{miss.order_external_id}</a>,
        Причина: miss.reason_label,
        'Не нашли': `${number(miss.qty)} шт.`,
        'Где искали': placeWords(miss.place),
        Сборщик: miss.reported_by,
        Когда: <Moment at={miss.at} />,
        Свободно: `${number(miss.free)} шт.`,
      }}
    />
  )
}

function Places({ miss: { places } }: { readonly miss: MissWithPlaces }) {
  if (places.length === 0) {
    return <p class="quiet">По учёту товара больше нигде нет. Напишите сборщику, где поискать.</p>
  }
  const options = places.map((place, n) => ({
    value: String(n),
    text: `${placeWords(place)}: ${number(place.qty)} шт.`,
  }))
  return (
    <Choice
      name="place"
      label="Где взять"
      options={[...options, { value: '', text: 'Другое: напишу сборщику' }]}
    />
  )
}

function Reason({ choice }: { readonly choice: MissChoice }) {
  const reasons = lossesOf(useReasons('correction'))
  if (choice !== 'remove_order') {
    return <Choice name="reason" label="Причина" {...reasons} value="LOST" />
  }
  const keep = { value: '', text: 'Не трогать остаток' }
  const options = (reasons.options ?? []).map(({ value, text }) => ({
    value,
    text: `Списать: ${text.toLowerCase()}`,
  }))
  return <Choice name="reason" label="Ненайденные единицы" options={[keep, ...options]} />
}

function send({ id, places }: MissWithPlaces, choice: MissChoice, values: FormValues) {
  const path = { id }
  const comment = values.optional('comment')
  const said = comment === undefined ? {} : { comment }
  const reason = values.optional('reason')
  const because = { reason: reason ?? '', ...said }
  switch (choice) {
    case 'look_elsewhere': {
      const n = values.optional('place')
      const place = n === undefined ? undefined : places[Number(n)]
      return staff('POST /misses/{id}/look-elsewhere', {
        path,
        body: { ...placeOf(place), ...said },
      })
    }
    case 'correct_stock':
      return staff('POST /misses/{id}/correct-stock', { path, body: because })
    case 'remove_order':
      return staff('POST /misses/{id}/remove-order', {
        path,
        body: reason === undefined ? said : because,
      })
    case 'tell_seller':
      return staff('POST /misses/{id}/tell-seller', { path, body: because })
  }
}

function placeOf(place: MissWithPlaces['places'][number] | undefined) {
  if (place?.box_id !== undefined) return { box_id: place.box_id }
  return place?.location_id === undefined ? {} : { location_id: place.location_id }
}
