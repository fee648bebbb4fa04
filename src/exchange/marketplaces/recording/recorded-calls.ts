import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../../platform/db/connection.ts'
import { conditionsOf } from '../../../platform/db/lists/filter.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../../platform/db/lists/page.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { moment, oneOfValues, textOrNull } from '../../../platform/kernel/schema.ts'
import type { RecordedRow } from './store.ts'

/** Reads the raw calls of a cabinet: as a list, and as a file that the tests of known answers can play. */

const notes = ['shortened', 'omitted'] as const
const note = (what: string) =>
  Type.Optional(
    oneOfValues(
      notes,
      `Что с телом ${what}: \`shortened\` — списки укорочены, \`omitted\` — файл или слишком велико; если ` +
        'хранится целиком, поля нет.',
    ),
  )

export const RecordedCall = Type.Object(
  {
    id: Type.Integer({ description: 'Номер записи: растёт.' }),
    time: moment('Когда отправлен запрос.'),
    method: Type.String({ description: 'Метод.' }),
    path: Type.String({ description: 'Путь.' }),
    query: Type.Record(Type.String(), Type.String(), { description: 'Параметры запроса.' }),
    request_body: Type.Any({ description: 'Тело запроса без личных данных; null, если его нет.' }),
    request_note: note('запроса'),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Код ответа; null, если ответа не было.',
    }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Заголовки ответа, которые важны: тип, лимиты, номер запроса.',
    }),
    answer_body: Type.Any({ description: 'Тело ответа без личных данных; null, если его нет.' }),
    answer_note: note('ответа'),
    answer_bytes: Type.Integer({ description: 'Сколько байт было в ответе.' }),
    duration_ms: Type.Integer({ description: 'Сколько длился вызов, в миллисекундах.' }),
    failure: textOrNull('Почему ответа не было; null, если был.'),
  },
  {
    $id: 'RecordedCall',
    description:
      'Вызов маркетплейса. Имена, адреса, телефоны, комментарии и всё незнакомое заменены ' +
      'значениями того же типа, ключей нет.',
  },
)
export type RecordedCall = Static<typeof RecordedCall>

export interface RecordedCallFilter {
  readonly path: string | undefined
  readonly status: number | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
}

interface StoredRow extends RecordedRow {
  readonly id: number
}

/** The raw calls of a cabinet, newest first. */
export async function listRecordedCalls(
  db: Database,
  clientId: string,
  cabinetId: string,
  filter: RecordedCallFilter,
  page: PageRequest,
): Promise<Page<RecordedCall>> {
  const matching = db`
    recorded_calls x where x.client_id = ${clientId} and x.cabinet_id = ${cabinetId}
    ${conditionsOf(db, filter, {
      path: (path) => db`strpos(x.path, ${path}) > 0`,
      status: (status) => db`x.status = ${status}`,
      created_from: (from) => db`x.at >= ${toTimestamp(from)}`,
      created_to: (to) => db`x.at < ${toTimestamp(to)}`,
    })}`
  const total = db`select count(*) from ${matching}`
  const next = page.after === undefined ? db`` : db`and x.id < ${Number(page.after[0])}::bigint`
  const rows = await db<(StoredRow & { total: number })[]>`
    select x.*, ${totalFor(db, total, page)} as total from ${matching} ${next}
    order by x.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: recordedCallView,
    position: (row) => [row.id],
    count: () => countOf(db, total),
  })
}

function recordedCallView(row: StoredRow): RecordedCall {
  return {
    id: row.id,
    time: row.at,
    method: row.method,
    path: row.path,
    query: { ...row.query },
    request_body: row.request_body === null ? null : JSON.parse(row.request_body),
    ...(row.request_note === null ? {} : { request_note: row.request_note }),
    status: row.status,
    headers: { ...row.headers },
    answer_body: row.answer_body === null ? null : JSON.parse(row.answer_body),
    ...(row.answer_note === null ? {} : { answer_note: row.answer_note }),
    answer_bytes: row.answer_bytes,
    duration_ms: row.duration_ms,
    failure: row.failure,
  }
}

const exportPage = 50

type ExportedRow = Pick<
  StoredRow,
  | 'id'
  | 'at'
  | 'path'
  | 'query'
  | 'request_body'
  | 'status'
  | 'headers'
  | 'answer_body'
  | 'answer_note'
>

/**
 * All answers of a cabinet as one JSON text, in the format of the tests' known answers: a list of calls, each with its
 * cases. It holds a few calls in memory at a time. Attempts without an answer are left out, because a test can't play them.
 */
export async function* exportRecordedCalls(
  db: Database,
  clientId: string,
  cabinetId: string,
): AsyncGenerator<string> {
  yield '['
  const calls = await db<{ call: string }[]>`
    select distinct call from recorded_calls
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and status is not null order by call`
  let written = 0
  for (const { call } of calls) {
    let cases = 0
    // The calls may be deleted meanwhile: a list begins with its first case.
    for await (const row of answersTo(db, clientId, cabinetId, call)) {
      const start = `${written === 0 ? '' : ','}\n{"call":${JSON.stringify(call)},"cases":[`
      yield `${cases === 0 ? start : ','}\n${caseOf(row)}`
      cases += 1
    }
    if (cases === 0) continue
    written += 1
    yield ']}'
  }
  yield '\n]\n'
}

async function* answersTo(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  call: string,
): AsyncGenerator<ExportedRow> {
  for (let last = 0; ; ) {
    const rows = await db<ExportedRow[]>`
      select id, at, path, query, request_body, status, headers, answer_body, answer_note
      from recorded_calls
      where client_id = ${clientId} and cabinet_id = ${cabinetId} and call = ${call}
        and status is not null and id > ${last}
      order by id limit ${exportPage}`
    yield* rows
    if (rows.length < exportPage) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Bodies are JSON already: they are put in as they are, so that no number loses digits. */
function caseOf(row: ExportedRow): string {
  const { id, at, path, query, status, headers } = row
  const field = (name: string, value: unknown) => `${JSON.stringify(name)}:${JSON.stringify(value)}`
  const body = (json: string | null) => (json === null ? '' : `,"body":${json}`)
  const request = `{${field('path', path)},${field('query', query)}${body(row.request_body)}}`
  const isFile = row.answer_note === 'omitted'
  const answer =
    `{${field('status', status)},${field('headers', answerHeaders(headers))},` +
    `"body":${row.answer_body ?? (isFile ? '""' : 'null')}}`
  const meaning = row.answer_note === null ? '' : `,${field('meaning', meanings[row.answer_note])}`
  const name = field('name', `${toName(at)} ${id}`)
  return `{${name},"kind":"recorded","request":${request},"answer":${answer}${meaning}}`
}

const meanings = {
  shortened: 'Only the first items of the lists were kept.',
  omitted: 'The body was a file or too large, and was not kept.',
} as const

const toName = (at: Timestamp) => at.slice(0, 19)

/** Without the length: the body was changed before it was kept. */
function answerHeaders({ 'content-length': _, ...headers }: Readonly<Record<string, string>>) {
  return headers
}
