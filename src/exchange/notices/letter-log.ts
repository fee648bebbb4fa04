import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
import {
  countedMax,
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import {
  count,
  moment,
  momentOrNull,
  oneOfValues,
  textOrNull,
} from '../../platform/kernel/schema.ts'

/** The letters as administrators see them: to whom, by which way, and what came of it. Not what they said, nor to which address. */

export const NoticeLetter = Type.Object(
  {
    id: Type.String({ description: 'Письмо.' }),
    login: textOrNull('Кому; null — пользователя больше нет.'),
    side: oneOfValues(['seller', 'staff'], 'seller — пользователь продавца, staff — сотрудник.'),
    channel: oneOfValues(['email', 'telegram'], 'Почта или Telegram.'),
    pace: oneOfValues(
      ['now', 'digest', 'code'],
      'now — сразу, digest — сводка, code — подтверждение адреса.',
    ),
    state: oneOfValues(
      ['waiting', 'sent', 'failed', 'dropped'],
      'waiting — ждёт, sent — отправлено, failed — не удалось, dropped — стало не о чем.',
    ),
    notices: count('Сколько в нём уведомлений.'),
    attempts: count('Сколько попыток было.'),
    problem: textOrNull('Почему не удалась последняя попытка; null — удалась или её не было.'),
    created_at: moment('Когда заведено.'),
    due_at: moment('Когда отправляется; для ждущего — следующая попытка.'),
    ended_at: momentOrNull('Когда закончено; null — ещё нет.'),
  },
  { $id: 'NoticeLetter', description: 'Письмо или сообщение с уведомлениями.' },
)
export type NoticeLetter = Static<typeof NoticeLetter>

interface LetterRow extends NoticeLetter {
  readonly total: number
}

export async function listLetters(
  db: Queryable,
  state: string | undefined,
  page: PageRequest,
): Promise<Page<NoticeLetter>> {
  const isWanted = state === undefined ? db`true` : db`l.state = ${state}`
  const total = db`
    select count(*) from (
      select from notice_letters l where ${isWanted} limit ${countedMax}) counted`
  const rows = await db<LetterRow[]>`
    select l.id, coalesce(s.login, u.login) as login, p.side, l.channel, l.pace, l.state, l.attempts, l.problem,
      l.created_at, l.due_at, l.ended_at, ${totalFor(db, total, page)} as total,
      (select count(*) from notices n where n.email_letter = l.id or n.telegram_letter = l.id) as notices
    from notice_letters l join notice_people p on p.user_id = l.user_id
    left join seller_users s on s.id = l.user_id
    left join staff_users u on u.id = l.user_id
    where ${isWanted} ${afterPosition(db, 'l', page.after)}
    order by l.created_at desc, l.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ total: _total, ...row }) => row,
    position: ({ created_at, id }) => [created_at, id],
    count: () => countOf(db, total),
  })
}
