import { useRoute } from 'preact-iso'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Failure } from '../../ui/failure.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { CountButton } from '../counts/count-button.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { pathOf, paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { PlaceCorrection } from './place-correction.tsx'
import { LabelButtons, numberOf, StoredContents, StoredFacts } from './stored.tsx'

export default function BoxPage() {
  const id = useRoute().params.id ?? ''
  const { data, error, reload } = useAnswer(
    `box ${id}`,
    (signal) => staff('GET /boxes/{id}', { path: { id }, signal }),
    { refreshMs: 20_000 },
  )
  const manages = isAtLeast(useSession().user, 'manager')
  const { query } = useAddress()
  if (data === undefined) return <NotOpened error={error} retry={reload} />
  const { client_id, contents = [] } = data
  const form = manages && query.form === 'correct' && (
    <PlaceCorrection
      place={{ box_id: id }}
      goods={contents.map((goods) => ({ ...goods, client_id }))}
      done={reload}
    />
  )
  return (
    <div class="stack">
      <Heading title={`Короб ${numberOf(data)}`} about={data.client_name}>
        <a class="button" href={paths.boxes}>
          Все короба
        </a>
        <LabelButtons kind="box" id={data.id} />
        {manages && data.units > 0 && <CountButton of={{ scope: { boxes: [data.id] } }} />}
      </Heading>
      <Failure error={error} retry={reload} />
      <Beside form={form}>
        <div class="object">
          <StoredContents kind="box" of={data} isCorrected={manages} />
          <div class="stack">
            <StoredFacts of={data} />
            {data.pallet_id !== null && (
              <p>
                <a href={pathOf('pallet', data.pallet_id)}>Паллета, на которой он стоит</a>
              </p>
            )}
            <ObjectJournal id={data.id} version={data.units} />
          </div>
        </div>
      </Beside>
    </div>
  )
}
