import type { Client, StorageTerms, TariffDraft } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Beside } from '../../ui/heading.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { moscowDay } from '../../words/format.ts'
import { dayName, quantityWords } from '../../words/money.ts'
import { listOf, paths } from '../paths.ts'
import { inForceOn, PriceList } from './price-list.tsx'
import { StorageTermsForm, wayWords } from './storage-terms.tsx'
import { TariffForm } from './tariff-form.tsx'
import { shownOf, TariffVersions } from './tariff-versions.tsx'
import { TariffFacts } from './tariffs.tsx'

function useTariffOf({ id, warehouse_code: code }: Client) {
  return useAnswer(`tariff of ${id}`, async (signal) => {
    const [own, terms, services, ground] = await Promise.all([
      staff('GET /clients/{id}/tariffs', { path: { id }, signal }),
      staff('GET /clients/{id}/storage-terms', { path: { id }, signal }),
      staff('GET /warehouses/{code}/billing-services', { path: { code }, signal }),
      staff('GET /warehouses/{code}/tariffs', { path: { code }, signal }),
    ])
    return {
      own: own.items,
      terms: terms.items,
      services: services.items,
      ground: inForceOn(ground.items, moscowDay(new Date())),
    }
  })
}

/** The prices that hold for a client, its own and those of the warehouse, and how its storage is counted. */
export function ClientTariff({ client }: { readonly client: Client }) {
  const { id, warehouse_code: code } = client
  const { path, query, hrefWith, go } = useAddress()
  const { data, error, reload } = useTariffOf(client)
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const { own, terms, services, ground } = data
  const shown = shownOf(own, query.version)
  const saved = (words: string) => {
    showToast(words)
    reload()
    go({ form: undefined, version: undefined })
  }
  const addTariff = async (body: TariffDraft) => {
    await staff('POST /clients/{id}/tariffs', { path: { id }, body })
    saved('Версия тарифа заведена')
  }
  return (
    <Beside
      form={
        (query.form === 'tariff' && (
          <TariffForm services={services} tariff={shown} isOfClient save={addTariff} />
        )) ||
        (query.form === 'storage' && (
          <StorageTermsForm clientId={id} onSaved={() => saved('Условия хранения сохранены')} />
        ))
      }
    >
      <div class="row">
        <a class="button primary" href={hrefWith({ form: 'tariff' })}>
          Своя версия тарифа
        </a>
        <a class="button" href={hrefWith({ form: 'storage' })}>
          Условия хранения
        </a>
        <a class="button plain" href={listOf(paths.tariffs, { warehouse: code })}>
          Тариф склада
        </a>
      </div>
      <h2>Цены для клиента</h2>
      <PriceList name="Цены для клиента" services={services} tariff={shown} ground={ground} />
      {shown !== undefined && <TariffFacts tariff={shown} />}
      {own.length > 0 && <TariffVersions tariffs={own} shown={shown} />}
      <h2>Как считают хранение</h2>
      <Terms terms={terms} />
      {terms.some(({ way }) => way === 'litre') && (
        <p>
          <a href={`${path}?tab=products&measured=false`}>Товары без размеров</a>: их литры считают
          по условиям.
        </p>
      )}
    </Beside>
  )
}

function Terms({ terms }: { readonly terms: readonly StorageTerms[] }) {
  if (terms.length === 0) return <p>По штукам: другие условия не названы.</p>
  return (
    <Table
      name="Условия хранения"
      rows={terms}
      keyOf={({ first_day }) => first_day}
      columns={[
        { title: 'С какого дня', cell: ({ first_day }) => dayName(first_day) },
        { title: 'Как', main: true, cell: ({ way }) => wayWords[way] },
        {
          title: 'Неизмеренная единица',
          cell: ({ way, assumed_litres: litres }) => {
            if (way !== 'litre') return '—'
            return litres ? `${quantityWords(litres)} л` : 'не начисляется'
          },
        },
      ]}
    />
  )
}
