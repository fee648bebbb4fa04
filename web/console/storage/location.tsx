import { useRoute } from 'preact-iso'
import type { Location } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Check, Form, TextField } from '../../ui/forms/form.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { number } from '../../words/format.ts'
import { CountButton } from '../counts/count-button.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { Goods } from '../parts/goods.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { OpenLink } from '../parts/open-link.tsx'
import { PrintButton } from '../parts/print-button.tsx'
import { pathOf, paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { labelOf } from './locations.tsx'
import { CorrectLink, PlaceCorrection } from './place-correction.tsx'
import { numberOf } from './stored.tsx'

type Content = NonNullable<Location['contents']>[number]
type BoxHere = NonNullable<Location['boxes']>[number]

const contentColumns: readonly Column<Content>[] = [
  { title: 'Товар', cell: (goods) => <Goods client={goods.client_id} goods={goods} /> },
  { title: 'Единиц', cell: ({ qty }) => number(qty), end: true },
]

const managedColumns: readonly Column<Content>[] = [
  ...contentColumns,
  { title: 'Остаток', cell: (goods) => <CorrectLink of={goods} /> },
]

const boxColumns: readonly Column<BoxHere>[] = [
  { title: 'Короб', cell: (box) => <a href={pathOf('box', box.id)}>{numberOf(box)}</a> },
  { title: 'Единиц', cell: ({ units }) => number(units), end: true },
]

/** One place and what lies there. */
export default function LocationPage() {
  const { params } = useRoute()
  const { user } = useSession()
  const { query } = useAddress()
  const id = params.id ?? ''
  const { data, error, reload } = useAnswer(
    `location ${id}`,
    (signal) => staff('GET /locations/{id}', { path: { id }, signal }),
    { refreshMs: 20_000 },
  )
  if (data === undefined) return <NotOpened error={error} retry={reload} />
  const manages = isAtLeast(user, 'manager')
  const form = manages && (
    <SideForm isCorrected={query.form === 'correct'} place={data} onSaved={reload} />
  )
  return (
    <div class="stack">
      <Heading
        title={`Место ${data.code}`}
        about={`Склад ${data.warehouse_code}${data.zone && `, зона ${data.zone}`} · единиц ${number(data.units)}`}
      >
        <a class="button" href={paths.locations}>
          Все места
        </a>
        <OpenLink href={labelOf(data.id)} label="Этикетка" />
        <PrintButton kind="location-label" id={data.id} />
        {manages && data.units > 0 && <CountButton of={{ scope: { locations: [data.id] } }} />}
      </Heading>
      <Beside form={form}>
        <Lying place={data} manages={manages} />
        <ObjectJournal id={data.id} version={data.units} />
      </Beside>
    </div>
  )
}

interface LyingProps {
  readonly place: Location
  readonly manages: boolean
}

function Lying({ place, manages }: LyingProps) {
  const { contents = [], boxes = [], pallets = [] } = place
  if (contents.length + boxes.length + pallets.length === 0) {
    return <p class="empty">Здесь ничего не лежит. Короба и паллеты ставят сюда на терминале.</p>
  }
  return (
    <>
      {contents.length > 0 && (
        <>
          <h2>Вне коробов</h2>
          <Table
            name="Товары вне коробов"
            rows={contents}
            columns={manages ? managedColumns : contentColumns}
            keyOf={({ client_id, barcode }) => `${client_id} ${barcode}`}
            files={<ExportLinks list="contents" filter={{ location_id: place.id }} />}
          />
        </>
      )}
      {boxes.length > 0 && (
        <>
          <h2>Короба</h2>
          <Table name="Короба" rows={boxes} columns={boxColumns} keyOf={(box) => box.id} />
        </>
      )}
      {pallets.length > 0 && (
        <>
          <h2>Паллеты</h2>
          <ul>
            {pallets.map((pallet) => (
              <li key={pallet.id}>
                <a href={pathOf('pallet', pallet.id)}>{numberOf(pallet)}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

interface SideFormProps extends LocationFormProps {
  readonly isCorrected: boolean
}

function SideForm({ isCorrected, ...props }: SideFormProps) {
  const { id, contents = [] } = props.place
  if (!isCorrected) return <LocationForm {...props} />
  return <PlaceCorrection place={{ location_id: id }} goods={contents} done={props.onSaved} />
}

interface LocationFormProps {
  readonly place: Location
  readonly onSaved: () => void
}

function LocationForm({ place, onSaved }: LocationFormProps) {
  return (
    <Form
      title="Изменить место"
      submit="Сохранить"
      act={async (values) => {
        await staff('PATCH /locations/{id}', {
          path: { id: place.id },
          body: {
            zone: values.text('zone'),
            order: values.number('order'),
            active: values.isChecked('active'),
          },
        })
        showToast('Место сохранено')
        onSaved()
      }}
    >
      <TextField name="zone" label="Зона" defaultValue={place.zone} />
      <TextField
        name="order"
        label="Порядок обхода"
        inputMode="numeric"
        defaultValue={String(place.order)}
      />
      <Check name="active" label="Сюда можно класть" checked={place.active} />
    </Form>
  )
}
