import type { BillingService, Tariff } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Facts } from '../../ui/facts.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { ChoiceFilter } from '../../ui/lists/filters.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { plural } from '../../words/format.ts'
import { dayName, roublesText } from '../../words/money.ts'
import { useWarehouses } from '../parts/warehouse-choice.tsx'
import { Calculator } from './calculator.tsx'
import { ClientsPrices } from './clients-prices.tsx'
import { DueMonths } from './due-months.tsx'
import { OwnServiceForm } from './own-service.tsx'
import { PriceList } from './price-list.tsx'
import { ProviderForm, Providers } from './provider.tsx'
import { TariffForm } from './tariff-form.tsx'
import { shownOf, stateOf, TariffVersions } from './tariff-versions.tsx'

/** What a warehouse charges for, how much, and who charges. */
export default function Tariffs() {
  const { query } = useAddress()
  const { data, error, reload } = useWarehouses()
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const code = query.warehouse ?? data.items[0]?.code
  if (code === undefined) return <p>Складов ещё нет: сначала заведите склад.</p>
  const options = Object.fromEntries(
    data.items.map(({ code, name }) => [code, `${code} · ${name}`]),
  )
  return (
    <div class="stack">
      <Heading title="Тарифы" about="За что и сколько склад начисляет клиентам" />
      {data.items.length > 1 && (
        <div class="row">
          <ChoiceFilter
            name="warehouse"
            label="Склад"
            options={options}
            all={options[code] ?? code}
          />
        </div>
      )}
      <OfWarehouse key={code} code={code} />
    </div>
  )
}

/** The services and tariffs of a warehouse, asked for together. */
export function useTariffs(code: string) {
  return useAnswer(`tariffs ${code}`, async (signal) => {
    const of = { path: { code }, signal }
    const [services, tariffs, providers] = await Promise.all([
      staff('GET /warehouses/{code}/billing-services', of),
      staff('GET /warehouses/{code}/tariffs', of),
      staff('GET /warehouses/{code}/billing-providers', of),
    ])
    return { services: services.items, tariffs: tariffs.items, providers: providers.items }
  })
}

function OfWarehouse({ code }: { readonly code: string }) {
  const { query, hrefWith, go } = useAddress()
  const { data, error, reload } = useTariffs(code)
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const { services, tariffs, providers } = data
  const shown = shownOf(tariffs, query.version)
  const saved = (words: string, form?: string) => {
    showToast(words)
    reload()
    go({ form, version: undefined })
  }
  const forms = {
    tariff: (
      <TariffForm
        services={services}
        tariff={shown}
        save={async (body) => {
          await staff('POST /warehouses/{code}/tariffs', { path: { code }, body })
          const words = 'Версия тарифа заведена. Начисления — на странице клиента, вкладка «Деньги»'
          // Without a provider no month closes.
          saved(words, providers.length === 0 ? 'provider' : undefined)
        }}
      />
    ),
    client: <ClientsPrices />,
    provider: (
      <ProviderForm
        code={code}
        provider={providers[0]}
        onSaved={() => saved('Исполнитель сохранён')}
      />
    ),
    service: <OwnServiceForm code={code} onSaved={() => saved('Услуга заведена')} />,
  }
  const form =
    query.form !== undefined && query.form in forms && forms[query.form as keyof typeof forms]
  return (
    <Beside form={form}>
      <div class="row">
        <a class="button primary" href={hrefWith({ form: 'tariff' })}>
          Новая версия
        </a>
        <a class="button" href={hrefWith({ form: 'service' })}>
          Своя услуга
        </a>
        <a class="button" href={hrefWith({ form: 'client' })}>
          Цены клиента
        </a>
        <a class="button" href={hrefWith({ form: 'provider' })}>
          Исполнитель
        </a>
      </div>
      <DueMonths code={code} />
      <Shown services={services} tariffs={tariffs} shown={shown} />
      {tariffs.length > 0 && <h2>Версии</h2>}
      {tariffs.length > 0 && <TariffVersions tariffs={tariffs} shown={shown} />}
      <h2>Исполнитель</h2>
      <Providers providers={providers} />
    </Beside>
  )
}

interface ShownProps {
  readonly services: readonly BillingService[]
  readonly tariffs: readonly Tariff[]
  readonly shown: Tariff | undefined
}

function Shown({ services, tariffs, shown }: ShownProps) {
  if (shown === undefined) {
    return (
      <p class="notice">
        Тарифа ещё нет, поэтому ничего не начисляется. Нажмите «Новая версия» и назовите цены.
      </p>
    )
  }
  return (
    <div class="stack">
      <h2>
        Версия {shown.version}: {stateOf(tariffs, shown)}, с {dayName(shown.first_day)}
      </h2>
      <PriceList name="Прайс-лист" services={services} tariff={shown} />
      <TariffFacts tariff={shown} />
      <Calculator version={shown.version} />
    </div>
  )
}

export function TariffFacts({ tariff }: { readonly tariff: Tariff }) {
  const { monthly_minimum: minimum, free_days: days } = tariff
  return (
    <Facts
      of={{
        'Минимум за месяц': minimum && Number(minimum) > 0 && roublesText(minimum),
        'Хранение без платы': !!days && plural(days, 'день', 'дня', 'дней'),
      }}
    />
  )
}
