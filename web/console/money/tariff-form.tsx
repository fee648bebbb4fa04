import { useState } from 'preact/hooks'
import { asSentences } from '../../../src/platform/kernel/sentences.ts'
import { CallError } from '../../api/caller.ts'
import type { BillingService, Tariff, TariffDraft } from '../../api/staff-calls.ts'
import { type FormValues, TextField } from '../../ui/forms/form.tsx'
import { monthFromNow } from '../../words/money.ts'
import { OpenedForm } from '../parts/opened-form.tsx'
import { type Steps, stepsOf } from './price-list.tsx'

interface TariffFormProps {
  readonly services: readonly BillingService[]
  /** What it begins from. */
  readonly tariff: Tariff | undefined
  /** Whose prices hold where the fields stay empty: of a client's tariff. */
  readonly isOfClient?: boolean
  readonly save: (draft: TariffDraft) => Promise<unknown>
}

export const pricePattern = '\\d{1,10}([.,]\\d{1,2})?'

/** A new version, which begins from the one in force. */
export function TariffForm({ services, tariff, isOfClient = false, save }: TariffFormProps) {
  const empty = isOfClient ? 'Пусто — как у склада' : 'Пусто — без минимума'
  return (
    <OpenedForm
      title="Новая версия тарифа"
      submit="Завести версию"
      act={(values) => saveBy(save, draftOf(values, services), services)}
    >
      <TextField
        name="first_day"
        label="С какого дня действует"
        type="date"
        defaultValue={monthFromNow(tariff === undefined ? 0 : 1)}
        hint={
          tariff === undefined && !isOfClient
            ? 'Раньше этого дня ничего не начисляется: чтобы закрыть прошлый месяц, назовите его первый день'
            : 'Дни закрытых месяцев не меняются'
        }
        required
      />
      <p class="small quiet">
        {isOfClient
          ? 'Услуги без цены здесь начисляются по тарифу склада.'
          : 'Услуги без цены не начисляются.'}{' '}
        Ступени — цена до скольких единиц за месяц; у последней предела нет.
      </p>
      {services.map((service) => (
        <PriceFields key={service.code} service={service} steps={stepsOf(tariff, service.code)} />
      ))}
      <TextField
        name="monthly_minimum"
        label="Минимум за месяц, ₽"
        inputMode="decimal"
        pattern={pricePattern}
        defaultValue={tariff?.monthly_minimum ?? ''}
        hint={empty}
      />
      <TextField
        name="free_days"
        label="Дней хранения без платы"
        type="number"
        min={0}
        max={365}
        defaultValue={tariff?.free_days ?? ''}
        hint={isOfClient ? 'Пусто — как у склада' : 'Пусто — платят с первого дня'}
      />
    </OpenedForm>
  )
}

interface PriceFieldsProps {
  readonly service: BillingService
  readonly steps: Steps | undefined
}

/** The price of one service: one field, and more where it has steps. */
function PriceFields({ service: { code, name, unit }, steps }: PriceFieldsProps) {
  const [count, setCount] = useState(steps?.length ?? 1)
  return (
    <fieldset class="prices">
      <legend>
        {name} <span class="quiet small">· {unit}</span>
      </legend>
      {Array.from({ length: count }, (_, at) => at).map((at) => (
        <div class="step" key={at}>
          {at < count - 1 && (
            <TextField
              name={`${code} up_to`}
              label="До, за месяц"
              type="number"
              min={1}
              defaultValue={steps?.[at]?.up_to ?? ''}
              required
            />
          )}
          <TextField
            name={`${code} price`}
            label={at === 0 ? 'Цена, ₽' : 'Дальше, ₽'}
            inputMode="decimal"
            pattern={pricePattern}
            value={steps?.[at]?.price ?? ''}
            required={count > 1}
          />
        </div>
      ))}
      <div class="row">
        <button type="button" class="plain small" onClick={() => setCount(count + 1)}>
          Добавить ступень<span class="visually-hidden">: {name}</span>
        </button>
        {count > 1 && (
          <button type="button" class="plain small" onClick={() => setCount(count - 1)}>
            Убрать ступень<span class="visually-hidden">: {name}</span>
          </button>
        )}
      </div>
    </fieldset>
  )
}

function draftOf(values: FormValues, services: readonly BillingService[]): TariffDraft {
  const prices = services.flatMap(({ code: service }) => {
    const bounds = values.all(`${service} up_to`).map(Number)
    const steps = values
      .all(`${service} price`)
      .filter((price) => price.trim() !== '')
      .map((price, at) => ({ up_to: bounds[at] ?? null, price: price.trim() }))
    return steps.length === 0 ? [] : [{ service, steps }]
  })
  return {
    first_day: values.text('first_day'),
    prices,
    monthly_minimum: values.optional('monthly_minimum') ?? null,
    free_days: values.number('free_days') ?? null,
  }
}

/** Refusals name a place among the prices; people know the service. */
async function saveBy(
  save: TariffFormProps['save'],
  draft: TariffDraft,
  services: readonly BillingService[],
): Promise<void> {
  try {
    await save(draft)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const { code, message, status, fields } = error
    const named = fields.map(({ path, message }) => {
      const at = /^prices\[(\d+)\]/.exec(path)?.[1]
      const service = at === undefined ? undefined : draft.prices[Number(at)]?.service
      const name = services.find((each) => each.code === service)?.name
      return { path, message: name === undefined ? message : `${name}: ${message}` }
    })
    const words = asSentences(named.map(({ message }) => message)) || message
    throw new CallError(code, words, { status, fields: named })
  }
}
