import type { StaffEntry } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { scansTogether } from '../journals/scans-together.ts'
import { isAtLeast } from '../rooms.ts'
import { Actor, Deed } from './deed.tsx'

interface ObjectJournalProps {
  readonly id: string
  /** Asks again after a change on the page. */
  readonly version?: unknown
}

/** Who changed the object and how; managers see it. */
export function ObjectJournal(props: ObjectJournalProps) {
  return isAtLeast(useSession().user, 'manager') ? <Entries {...props} /> : null
}

function Entries({ id, version = '' }: ObjectJournalProps) {
  const { data, error, reload } = useAnswer(`journal ${id} ${String(version)}`, (signal) =>
    staff('GET /journal/staff', { query: { object_id: id, limit: 50 }, signal }),
  )
  return (
    <section class="stack" aria-label="Журнал">
      <h2>Журнал</h2>
      {data === undefined && <Waiting error={error} retry={reload} />}
      {data?.items.length === 0 && <p class="quiet">Сотрудники ничего не меняли.</p>}
      <ul class="journal">
        {scansTogether(data?.items ?? []).map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ entry }: { readonly entry: StaffEntry }) {
  return (
    <li>
      <div class="quiet small">
        <Moment at={entry.time} /> · <Actor of={entry} />
      </div>
      <Deed of={entry} />
    </li>
  )
}
