import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Event } from '../../../exchange/webhooks/view.ts'
import type { Caller } from '../../../identity/keys/admission.ts'
import { openRevocationCheck } from '../../../identity/keys/api-keys.ts'
import { type HeldPolls, pollsMax } from '../../../platform/db/held-polls.ts'
import type { Cursors } from '../../../platform/kernel/cursor.ts'
import { ServiceError } from '../../../platform/kernel/errors.ts'
import { toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { subscribableTypes } from '../../../warehouse/events/catalogue.ts'
import {
  type FeedPage,
  type FeedPosition,
  type FeedRequest,
  pollFeed,
  readFeed,
} from '../../../warehouse/events/feed.ts'
import { callerOf, refusalSince } from '../../route/gate.ts'
import { emptyPosition, rawQuery } from '../../route/list.ts'
import { limit, query, seconds, severalOf, text } from '../../route/query.ts'
import { hideBucket } from '../../route/rate-headers.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export const EventFeedPage = Type.Object(
  {
    items: Type.Array(named<unknown>(Event), { description: 'События, старые первыми.' }),
    next_after: Type.String({
      description:
        'Передайте в after следующего запроса, с теми же types. Есть всегда и не устаревает после перезапуска.',
    }),
    has_more: Type.Boolean({ description: 'true — дальше есть ещё: запросите сразу.' }),
  },
  { $id: 'EventFeedPage', description: 'Страница ленты событий.' },
)

const feedQuery = query({
  after: {
    ...text({
      description:
        'next_after прошлого ответа. Без параметра — с самого старого события, которое хранится; ' +
        'latest — без событий, только позиция конца ленты. Передавайте его с теми же types: он стоит и ' +
        'за событиями других типов. Сброс песочницы делает его негодным.',
    }),
    refuseBroken: () => new ServiceError('bad_cursor', brokenPosition),
  },
  types: severalOf(subscribableTypes, {
    description: 'Типы событий через запятую; без него — все.',
  }),
  limit: limit({ default: 100, max: 1000 }),
  wait: seconds({
    max: 25,
    description: `Сколько секунд ждать первого события, если новых нет. Ждать могут до ${pollsMax} запросов ключа.`,
  }),
})

const dayMs = 24 * 60 * 60 * 1000

export interface EventDependencies extends PublicDependencies {
  readonly heldPolls: HeldPolls
  readonly eventRetentionDays: number
}

interface FeedDependencies extends EventDependencies {
  readonly isRevoked: ReturnType<typeof openRevocationCheck>
}

export function addEvents(app: FastifyInstance, given: EventDependencies): void {
  const dependencies = { ...given, isRevoked: openRevocationCheck(given.db) }
  const { cursors } = dependencies
  const schema = publicOperation({
    id: 'listEvents',
    tag: 'События',
    summary: 'Лента событий',
    description:
      'Сверх спецификации 1.1. Те же события, что приходят вебхуками, — для тех, кто не может ' +
      'принимать запросы, и чтобы наверстать пропущенное. Каждое событие встречается один раз, порядок ' +
      'не меняется. Запись начинается с первой подписки или первого запроса ленты и прекращается, ' +
      'если долго нет ни того, ни другого.',
    query: feedQuery,
    answers: {
      200: {
        description: 'События после позиции.',
        schema: named(EventFeedPage),
        headers: {
          'X-Events-Since': {
            type: 'string',
            format: 'date-time',
            description: 'С какого времени в ленте есть все события.',
          },
        },
      },
    },
    errors: ['bad_request', 'bad_cursor'],
    messages: { bad_cursor: brokenPosition },
  })
  app.get('/events', { schema }, async (request, reply) => {
    const caller = callerOf(request)
    const asked = feedQuery.parse(rawQuery(request))
    const keptFrom = dependencies.clock.now() - dependencies.eventRetentionDays * dayMs
    const page = await readPage(dependencies, request, reply, asked.wait * 1000, {
      after: positionOf(cursors, caller.clientId, asked.after),
      types: asked.types,
      limit: asked.limit,
    })
    if ('lostSince' in page) throw lostPosition(laterOf(page.lostSince, keptFrom))
    reply.header('X-Events-Since', laterOf(page.since, keptFrom))
    reply.header('Cache-Control', 'no-store')
    reply.type('application/json; charset=utf-8')
    return reply.send(bodyOf(page, cursors, caller.clientId))
  })
}

async function readPage(
  dependencies: FeedDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  waitMs: number,
  feed: FeedRequest,
) {
  const caller = callerOf(request)
  const { clientId, actor } = caller
  const { turns, clock } = dependencies
  const read = (page: FeedRequest) =>
    turns.read(caller, JSON.stringify(page), (mode) =>
      readFeed(dependencies, { clientId, actor, mode }, page),
    )
  if (waitMs === 0 || feed.after === 'latest') return read(feed)
  const poll = dependencies.heldPolls.enter(clientId, holderOf(caller))
  if (poll === undefined) throw tooManyPolls()
  reply.raw.once('close', () => poll.end())
  const page = await pollFeed(read, feed, { poll, clock, waitMs }).finally(poll.leave)
  // The key may have been revoked, or the session ended, while the caller waited.
  const refusal = await refusalSince(dependencies.isRevoked, request)
  if (refusal !== undefined) {
    hideBucket(reply)
    throw refusal
  }
  return page
}

/** A key, or a user of one client. */
function holderOf({ clientId, actor }: Caller): string {
  return `${clientId} ${actor.kind === 'key' ? actor.keyId : actor.userId}`
}

const pollRetrySeconds = 5

function tooManyPolls(): ServiceError {
  return new ServiceError(
    'rate_limited',
    `Ждут уже ${pollsMax} запросов ленты с wait: дождитесь ответа одного из них или повторите без wait`,
    { retryAfterSeconds: pollRetrySeconds },
  )
}

const scopeOf = (clientId: string) => [clientId, 'events']

function positionOf(
  cursors: Cursors,
  clientId: string,
  text: string | undefined,
): FeedPosition | 'latest' | undefined {
  if (text === undefined || text === 'latest') return text
  if (text === '') throw emptyPosition('after')
  const [recording, position] = cursors.read(scopeOf(clientId), text) ?? []
  if (recording === undefined || position === undefined)
    throw new ServiceError('bad_cursor', brokenPosition)
  return { recording: String(recording), position: Number(position) }
}

const brokenPosition =
  'Параметр after: позиция повреждена или выдана другому клиенту. Передайте next_after прошлого ответа или начните без after'

function lostPosition(since: string): ServiceError {
  return new ServiceError(
    'bad_cursor',
    `Параметр after: позиция устарела, события есть с ${since}. Начните без after и сверьте списки за пропущенное время`,
  )
}

function laterOf(since: string, keptFrom: number): string {
  return Date.parse(since) > keptFrom ? since : toTimestamp(keptFrom)
}

/** The bodies go out as they are stored, and as webhooks carry them. */
function bodyOf({ bodies, next, hasMore }: FeedPage, cursors: Cursors, clientId: string): string {
  const nextAfter = cursors.issue(scopeOf(clientId), [next.recording, next.position])
  return `{"items":[${bodies.join(',')}],"next_after":"${nextAfter}","has_more":${hasMore}}`
}
