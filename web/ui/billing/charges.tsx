import type { Charge } from '../../api/account-calls.ts'
import type { ChargeSummary, MonthForecast } from '../../api/staff-calls.ts'
import { dayName, monthFromNow, quantityWords, roublesText } from '../../words/money.ts'
import { useAddress } from '../address.ts'
import { dayAfter } from '../lists/filters.tsx'
import { type Column, Table } from '../lists/table.tsx'
import { Moment } from '../moment.tsx'

/** What both sides show of charges. */

type ChargeSource = Charge['source']

const words: Readonly<Record<ChargeSource['kind'], string>> = {
  receipt: 'Приёмка',
  order: 'Заказ',
  shipment: 'Отгрузка',
  return: 'Возвраты',
  count: 'Пересчёт',
  product: 'Товар',
  storage: 'Хранение за день',
  manual: 'Вручную',
  month: 'Месяц целиком',
}

/** Where the page of the object of a charge is; undefined for what has none. */
type ChargeHref<C extends Charge> = (charge: C) => string | undefined

export function chargeColumns<C extends Charge>(hrefOf: ChargeHref<C>): readonly Column<C>[] {
  return [
    {
      title: 'За что',
      cell: (charge) => <Source source={charge.source} href={hrefOf(charge)} />,
    },
    {
      title: 'День',
      cell: ({ day, period }) => (
        <>
          {dayName(day)}
          {day < period && <div class="small quiet">поправка к закрытому месяцу</div>}
        </>
      ),
    },
    { title: 'Услуга', cell: ({ service_name }) => service_name },
    { title: 'Единица', cell: ({ unit }) => unit || '—' },
    { title: 'Количество', end: true, cell: ({ quantity }) => quantityWords(quantity) },
    { title: 'Цена', end: true, cell: ({ price }) => roublesText(price) },
    { title: 'Сумма', end: true, main: true, cell: ({ amount }) => roublesText(amount) },
  ]
}

/** Lines of one list differ in something that they show. */
export function keyOfCharge({ period, day, service, source, price, quantity }: Charge): string {
  return [period, day, service, source.kind, source.id, price, quantity].join(' ')
}

interface SourceProps {
  readonly source: ChargeSource
  readonly href: string | undefined
}

function Source({ source: { kind, number, comment }, href }: SourceProps) {
  const text = `${words[kind]} ${number ?? ''}`.trim()
  return (
    <>
      {href === undefined ? text : <a href={href}>{text}</a>}
      {comment !== null && <div class="small quiet">{comment}</div>}
    </>
  )
}

/** Beside the sums of the current month: what it comes to at its end. */
export function ForecastLine({ of }: { readonly of: MonthForecast }) {
  if (of.expected === null || of.a_day === null) return null
  return (
    <p>
      К концу месяца выйдет около <strong>{roublesText(of.expected)}</strong>
      <span class="quiet small"> если дни будут как прошедшие, по {roublesText(of.a_day)}</span>
    </p>
  )
}

interface ChargeSumsProps {
  readonly sums: ChargeSummary
}

/** A month by service and by day. A press on one shows its charges. */
export function ChargeSums({ sums }: ChargeSumsProps) {
  const { query, hrefWith } = useAddress()
  if (sums.services.length === 0) return <p class="quiet">В этом месяце ещё ничего не начислено.</p>
  return (
    <div class="stack">
      <p>
        Начислено <strong>{roublesText(sums.amount)}</strong>
        {sums.computed_at !== null && (
          <span class="quiet small">
            {' '}
            посчитано по <Moment at={sums.computed_at} />
          </span>
        )}
      </p>
      <Table
        name="По услугам"
        rows={sums.services}
        keyOf={({ service }) => service}
        columns={[
          {
            title: 'Услуга',
            cell: ({ service, service_name }) => (
              <a
                href={hrefWith({ service, day: undefined, cursor: undefined })}
                aria-current={query.service === service ? 'true' : undefined}
              >
                {service_name}
              </a>
            ),
          },
          { title: 'Единица', cell: ({ unit }) => unit || '—' },
          { title: 'Количество', end: true, cell: ({ quantity }) => quantityWords(quantity) },
          { title: 'Сумма', end: true, main: true, cell: ({ amount }) => roublesText(amount) },
        ]}
      />
      <details>
        <summary>По дням</summary>
        <Table
          name="По дням"
          rows={sums.days}
          keyOf={({ day }) => day}
          columns={[
            {
              title: 'День',
              cell: ({ day }) => (
                <a
                  href={hrefWith({ day, service: undefined, cursor: undefined })}
                  aria-current={query.day === day ? 'true' : undefined}
                >
                  {dayName(day)}
                </a>
              ),
            },
            { title: 'Сумма', end: true, main: true, cell: ({ amount }) => roublesText(amount) },
          ]}
        />
      </details>
    </div>
  )
}

/** The month that the address names; this one where it names none. */
export function monthIn(query: Readonly<Record<string, string>>): string {
  const { month = '' } = query
  return /^\d{4}-\d\d-01$/.test(month) ? month : monthFromNow(0)
}

/** What the list of charges is asked for: the month with the service or the day that somebody chose. */
export function chargeFilterOf(query: Readonly<Record<string, string>>) {
  const { day } = query
  return {
    period: monthIn(query),
    service: query.service,
    from: day,
    to: dayAfter(day),
  }
}

/** Says what the list is narrowed to, and how to see all. */
export function ChargeNarrowing({ sums }: ChargeSumsProps) {
  const { query, hrefWith } = useAddress()
  const { day } = query
  const service = sums.services.find((each) => each.service === query.service)?.service_name
  const narrowed = service ?? (day && dayName(day))
  if (narrowed === undefined) return null
  return (
    <p>
      Только: {narrowed} ·{' '}
      <a href={hrefWith({ service: undefined, day: undefined, cursor: undefined })}>показать все</a>
    </p>
  )
}
