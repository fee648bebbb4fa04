import { useRoute } from 'preact-iso'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { listOf, paths } from '../paths.ts'
import { boxColumns } from './boxes.tsx'
import { LabelButtons, numberOf, StoredContents, StoredFacts } from './stored.tsx'

const ownColumns = boxColumns.filter(({ title }) => title !== 'Клиент' && title !== 'Паллета')

export default function PalletPage() {
  const id = useRoute().params.id ?? ''
  const { data, error, reload } = useAnswer(
    `pallet ${id}`,
    (signal) => staff('GET /pallets/{id}', { path: { id }, signal }),
    { refreshMs: 20_000 },
  )
  if (data === undefined) return <NotOpened error={error} retry={reload} />
  const boxes = data.boxes ?? []
  return (
    <div class="stack">
      <Heading title={`Паллета ${numberOf(data)}`} about={data.client_name}>
        <a class="button" href={listOf(paths.boxes, { tab: 'pallets' })}>
          Все паллеты
        </a>
        <LabelButtons kind="pallet" id={data.id} />
      </Heading>
      <Failure error={error} retry={reload} />
      <div class="object">
        <div class="stack">
          <StoredContents kind="pallet" of={data} />
          {boxes.length > 0 && (
            <>
              <h2>Короба</h2>
              <Table
                name="Короба"
                rows={boxes}
                columns={ownColumns}
                keyOf={(box) => box.id}
                files={<ExportLinks list="boxes" filter={{ pallet_id: data.id }} />}
              />
            </>
          )}
        </div>
        <div class="stack">
          <StoredFacts of={data} />
          <ObjectJournal id={data.id} version={data.units} />
        </div>
      </div>
    </div>
  )
}
