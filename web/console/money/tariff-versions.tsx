import type { Tariff } from '../../api/staff-calls.ts'
import { useAddress } from '../../ui/address.ts'
import { Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { moscowDay } from '../../words/format.ts'
import { dayName } from '../../words/money.ts'
import { inForceOn } from './price-list.tsx'

interface TariffVersionsProps {
  readonly tariffs: readonly Tariff[]
  readonly shown: Tariff | undefined
}

/** All versions of a tariff, those to come too; a press shows one. */
export function TariffVersions({ tariffs, shown }: TariffVersionsProps) {
  const { hrefWith } = useAddress()
  return (
    <Table
      name="Версии тарифа"
      rows={tariffs}
      keyOf={({ version }) => String(version)}
      columns={[
        {
          title: 'Версия',
          cell: ({ version }) => (
            <a
              href={hrefWith({ version: String(version), form: undefined })}
              aria-current={version === shown?.version ? 'true' : undefined}
            >
              Версия {version}
            </a>
          ),
        },
        { title: 'С какого дня', cell: ({ first_day }) => dayName(first_day) },
        { title: 'Состояние', main: true, cell: (tariff) => stateOf(tariffs, tariff) },
        { title: 'Заведена', cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  )
}

export function stateOf(tariffs: readonly Tariff[], { version, first_day }: Tariff): string {
  const today = moscowDay(new Date())
  if (inForceOn(tariffs, today)?.version === version) return 'действует'
  const isLast = inForceOn(tariffs, first_day)?.version === version
  if (!isLast) return 'заменена'
  return first_day > today ? 'будет действовать' : 'действовала'
}

/** The version that the address names, or the one in force, or the first to come. */
export function shownOf(tariffs: readonly Tariff[], named: string | undefined): Tariff | undefined {
  return (
    tariffs.find(({ version }) => String(version) === named) ??
    inForceOn(tariffs, moscowDay(new Date())) ??
    tariffs.at(-1)
  )
}
