import type { Box } from '../../api/staff-calls.ts'
import { Facts } from '../../ui/facts.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { ClientLink } from '../parts/client-link.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { Goods } from '../parts/goods.tsx'
import { OpenLink } from '../parts/open-link.tsx'
import { PrintButton } from '../parts/print-button.tsx'
import { pathOf } from '../paths.ts'
import { CorrectLink } from './place-correction.tsx'

/** What the pages of a box and of a pallet have in common. */

/** What a box or a pallet is called. */
export function numberOf({ sscc }: { readonly sscc: string | null }): string {
  return sscc ?? 'без номера'
}

type Units = NonNullable<Box['contents']>[number]

interface StoredProps {
  readonly of: {
    readonly client_id: string
    readonly client_name: string
    readonly location_id: string | null
    readonly location_code: string | null
    readonly units: number
    readonly created_at: string
  }
}

export function StoredFacts({ of }: StoredProps) {
  return (
    <section class="panel" aria-label="Коротко">
      <Facts
        of={{
          Клиент: <ClientLink id={of.client_id} name={of.client_name} />,
          Единиц: number(of.units),
          Место:
            of.location_id === null ? (
              'не указано'
            ) : (
              <a href={pathOf('location', of.location_id)}>{of.location_code}</a>
            ),
          Заведено: <Moment at={of.created_at} />,
        }}
      />
    </section>
  )
}

const correction: Column<Units> = {
  title: 'Остаток',
  cell: (goods) => <CorrectLink of={goods} />,
}

interface ContentsProps {
  readonly kind: 'box' | 'pallet'
  readonly of: {
    readonly id: string
    readonly client_id: string
    readonly contents?: readonly Units[] | undefined
  }
  /** Whether the units of each product can be corrected here. */
  readonly isCorrected?: boolean
}

export function StoredContents({ kind, of, isCorrected = false }: ContentsProps) {
  const { id, client_id: clientId, contents = [] } = of
  if (contents.length === 0)
    return <p class="empty">Здесь ничего не лежит. Товар кладут сюда на терминале.</p>
  const columns: readonly Column<Units>[] = [
    { title: 'Товар', cell: (goods) => <Goods client={clientId} goods={goods} /> },
    { title: 'Единиц', cell: ({ qty }) => number(qty), end: true },
    ...(isCorrected ? [correction] : []),
  ]
  return (
    <Table
      name="Что лежит"
      rows={contents}
      columns={columns}
      keyOf={({ barcode }) => barcode}
      files={<ExportLinks list="contents" filter={{ [`${kind}_id`]: id }} />}
    />
  )
}

interface LabelButtonsProps {
  readonly kind: 'box' | 'pallet'
  readonly id: string
}

/** The label on the screen, and on the warehouse's print station. */
export function LabelButtons({ kind, id }: LabelButtonsProps) {
  const path = kind === 'box' ? 'boxes' : 'pallets'
  return (
    <>
      <OpenLink href={`/staff/v1/${path}/${encodeURIComponent(id)}/label`} label="Этикетка" />
      <PrintButton kind={`${kind}-label`} id={id} />
    </>
  )
}
