import type { BillingService, Tariff } from '../../api/staff-calls.ts'
import { Table } from '../../ui/lists/table.tsx'
import { number } from '../../words/format.ts'
import { roublesText } from '../../words/money.ts'

export type Steps = Tariff['prices'][number]['steps']

interface PriceListProps {
  readonly name: string
  readonly services: readonly BillingService[]
  readonly tariff: Tariff | undefined
  /** The tariff whose prices hold where `tariff` has none. */
  readonly ground?: Tariff | undefined
}

/** A tariff as people read a price list: the service, what the price is for, and the price. */
export function PriceList({ name, services, tariff, ground }: PriceListProps) {
  const rows = services
    .map((service) => ({
      ...service,
      own: stepsOf(tariff, service.code),
      common: stepsOf(ground, service.code),
    }))
    .filter(({ own, common }) => own !== undefined || common !== undefined)
  if (rows.length === 0) return <p class="quiet">Цен ещё нет: услуги не начисляются.</p>
  return (
    <Table
      name={name}
      rows={rows}
      keyOf={({ code }) => code}
      columns={[
        { title: 'Услуга', cell: ({ name }) => name },
        { title: 'Единица', cell: ({ unit }) => unit },
        {
          title: 'Цена',
          end: true,
          main: true,
          cell: ({ own, common }) => <StepWords steps={own ?? common ?? []} />,
        },
        ...(ground === undefined
          ? []
          : [
              {
                title: 'Чья цена',
                cell: ({ own }: { own: Steps | undefined }) =>
                  own === undefined ? <span class="quiet">склада</span> : 'клиента',
              },
            ]),
      ]}
    />
  )
}

export function stepsOf(tariff: Tariff | undefined, code: string): Steps | undefined {
  return tariff?.prices.find(({ service }) => service === code)?.steps
}

function StepWords({ steps }: { readonly steps: Steps }) {
  return (
    <>
      {steps.map(({ up_to, price }, at) => (
        <div key={up_to}>
          {steps.length > 1 && (
            <span class="quiet small">{boundsOf(steps[at - 1]?.up_to, up_to)} </span>
          )}
          {roublesText(price)}
        </div>
      ))}
    </>
  )
}

function boundsOf(before: number | null | undefined, upTo: number | null): string {
  if (upTo === null) return before ? `с ${number(before + 1)}` : ''
  return before ? `${number(before + 1)}–${number(upTo)}` : `до ${number(upTo)}`
}

/** The version that is in force on a day: its first day is the last that has come. */
export function inForceOn(tariffs: readonly Tariff[], day: string): Tariff | undefined {
  return tariffs
    .filter(({ first_day }) => first_day <= day)
    .toSorted(
      (one, other) => other.first_day.localeCompare(one.first_day) || other.version - one.version,
    )[0]
}
