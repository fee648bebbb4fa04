import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import {
  hour,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { ObjectName } from '../../platform/kernel/object-name.ts'
import { count, moment, named, oneOfValues } from '../../platform/kernel/schema.ts'
import { type JournalScope, scopeCondition } from '../../warehouse/journal/staff.ts'

/** The scans of each work; the journal of changes has an entry for each. */
const scans = {
  receiving: ['scanReceipt'],
  picking: ['pickUnit', 'reportNotFound'],
  checking: ['checkUnit'],
  returns: ['scanReturn', 'scanReturnOfDay'],
  counting: ['scanInCount'],
  placing: [
    ...['putIntoBox', 'takeFromBox', 'moveBetweenBoxes', 'putAtLocation', 'takeFromLocation'],
    ...['moveFromLocation', 'placeBoxAtLocation', 'placePalletAtLocation', 'placeBox'],
  ],
} as const

export const works = Object.keys(scans) as readonly (keyof typeof scans)[]

export const PersonAtWork = Type.Object(
  {
    user_id: Type.String({ description: 'Пользователь.' }),
    name: Type.String({ description: 'Его имя; без имени — логин.' }),
    work: oneOfValues(
      works,
      'receiving — принимает, picking — собирает, checking — проверяет упаковку, returns — принимает возвраты, ' +
        'counting — пересчитывает, placing — раскладывает.',
    ),
    object: Type.Optional(named(ObjectName)),
    scans: count('Сканов этой работы за последний час.'),
    last_at: moment('Последний скан.'),
  },
  { $id: 'PersonAtWork', description: 'Кто что делает.' },
)
export type PersonAtWork = Static<typeof PersonAtWork>

/** A person at work, with the object of the last scan. */
export interface ScanningPerson extends Omit<PersonAtWork, 'object'> {
  readonly client_id: string | null
  readonly object_id: string | null
}

const peopleMax = 200

/** Who scanned something in the hour before `now`, each with the work of the last scan; the latest first, at most 200. */
export async function peopleAtWork(
  db: Queryable,
  now: Instant,
  scope: JournalScope,
): Promise<ScanningPerson[]> {
  const kinds = works.flatMap((work) => scans[work].map((action) => ({ work, action })))
  return db<(ScanningPerson & { last_at: Timestamp })[]>`
    with scanned as (
      select j.id, j.actor, j.at, j.client_id, j.object_id, k.work
      from staff_journal j
      join jsonb_to_recordset(${db.json(kinds)}) as k (work text, action text) on k.action = j.action
      where j.at > ${toTimestamp(now - hour)} and j.actor like 'staff:%' ${scopeCondition(db, scope)}
    )
    select u.id as user_id, u.shown_name as name, l.work, l.client_id, l.object_id, l.at as last_at,
      (select count(*) from scanned s where s.actor = l.actor and s.work = l.work) as scans
    from (select distinct on (actor) * from scanned order by actor, id desc) l
    join staff_users u on 'staff:' || u.id = l.actor
    order by l.at desc, u.login limit ${peopleMax}`
}
