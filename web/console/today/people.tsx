import type { PersonAtWork } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { moment, plural } from '../../words/format.ts'
import { ObjectLink } from '../parts/object-link.tsx'
import { paths } from '../paths.ts'
import { Section } from './section.tsx'

const refreshMs = 15_000

const words: Readonly<Record<PersonAtWork['work'], string>> = {
  receiving: 'принимает',
  picking: 'собирает',
  checking: 'проверяет упаковку',
  returns: 'принимает возвраты',
  counting: 'пересчитывает',
  placing: 'раскладывает',
}

/** Who works now: on what, how fast, and when they scanned last. */
export function PeopleAtWork() {
  const { data } = useAnswer('people at work', (signal) => staff('GET /today/people', { signal }), {
    refreshMs,
  })
  const items = data?.items ?? []
  return (
    <Section
      title="Работают сейчас"
      href={paths.shifts}
      total={items.length}
      items={items}
      keyOf={({ user_id: id }) => id}
      item={(person) => (
        <div>
          <div class="clip">
            <a href={paths.shifts}>{person.name}</a> {words[person.work]}
            {person.object && (
              <>
                : <ObjectLink of={person.object} />
              </>
            )}
          </div>
          <div class="small quiet clip">
            {plural(person.scans, 'скан', 'скана', 'сканов')} за час · последний{' '}
            {moment(person.last_at)}
          </div>
        </div>
      )}
    />
  )
}
