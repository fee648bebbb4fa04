import { useState } from 'preact/hooks'
import type { EventFeedPage, Order, Receipt, Shipment } from '../../api/account-calls.ts'
import { markUnattended } from '../../api/unattended.ts'
import { useAnswer, useWhileSeen } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { ChoiceFilter, Filters } from '../../ui/lists/filters.tsx'
import { Moment } from '../../ui/moment.tsx'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { ListFiles } from '../parts/list-files.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'

export const eventWords = {
  'receipt.created': 'Заявка на приёмку создана',
  'receipt.confirmed': 'Заявка подтверждена',
  'receipt.status_changed': 'Состояние приёмки изменилось',
  'receipt.completed': 'Приёмка завершена',
  'shipment.status_changed': 'Состояние отгрузки изменилось',
  'order.status_changed': 'Статус заказа изменился',
} as const

const limit = 100
const refreshMs = 10_000

export function Events() {
  const { query: filters } = useAddress()
  const types = filters.types
  const answer = useAnswer(`events ${types}`, (signal) =>
    account('GET /events', { query: { types, limit }, signal }),
  )
  return (
    <Page title="События">
      <p class="quiet">Лента событий: те же, что приходят вебхуками, старые первыми.</p>
      <Filters>
        <ChoiceFilter name="types" label="Тип" options={eventWords} />
      </Filters>
      <div class="row">
        <span class="quiet">Выгрузить</span>
        <ListFiles list="events" filter={{ types }} />
      </div>
      <Loaded answer={answer}>
        {(first) => <Feed key={first.next_after} first={first} types={types} />}
      </Loaded>
      <AskByApi paths={[`/events?limit=${limit}${types === undefined ? '' : `&types=${types}`}`]} />
    </Page>
  )
}

type Announced = Receipt | Shipment | Order

/** An event by the number that a seller knows, and the status then. */
function OneEvent({ event }: { readonly event: EventFeedPage['items'][number] }) {
  const { id, type, occurred_at, data } = event
  const content = data as Announced | { readonly object: Announced }
  const object = 'object' in content ? content.object : content
  const name = 'number' in object ? object.number : object.external_id
  return (
    <details>
      <summary>
        <Moment at={occurred_at} />{' '}
        {type in eventWords ? eventWords[type as keyof typeof eventWords] : type}:{' '}
        <strong class="long">{name}</strong>, {object.status_label.toLowerCase()}{' '}
        <code class="small quiet">{type}</code>
      </summary>
      <div class="stack">
        <a href={hrefOf(type, object.id)}>Открыть {name}</a>
        <pre class="code-block">{JSON.stringify({ id, type, occurred_at, data }, null, 2)}</pre>
      </div>
    </details>
  )
}

function hrefOf(type: string, id: string): string {
  if (type.startsWith('order.')) return paths.order(id)
  return type.startsWith('shipment.') ? paths.shipment(id) : paths.receipt(id)
}

/** The signal of a call that nothing ends. */
const never = () => new AbortController().signal

function Feed({
  first,
  types,
}: {
  readonly first: EventFeedPage
  readonly types: string | undefined
}) {
  const [read, setRead] = useState(first)
  const { items: events, next_after: after, has_more: hasMore } = read
  const more = useAction(async (signal: AbortSignal) => {
    const page = await account('GET /events', { query: { types, limit, after }, signal })
    setRead((last) =>
      last.next_after === after ? { ...page, items: [...last.items, ...page.items] } : last,
    )
  })
  useWhileSeen(refreshMs, () => !hasMore && more.run(markUnattended(never())))
  return (
    <div class="stack">
      {events.length === 0 && (
        <p class="panel empty">Событий ещё нет: они появятся с первым изменением.</p>
      )}
      <ol class="events">
        {events.map((event) => (
          <li key={event.id}>
            <OneEvent event={event} />
          </li>
        ))}
      </ol>
      <Failure error={more.error} />
      {hasMore ? (
        <div>
          <button type="button" disabled={more.busy} onClick={() => more.run(never())}>
            {more.busy ? 'Смотрим…' : 'Следующие события'}
          </button>
        </div>
      ) : (
        <p class="small quiet">Новые события появятся здесь сами.</p>
      )}
    </div>
  )
}
