import { useEffect, useLayoutEffect } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import type { LookupMatch } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { Thumbnail } from '../../ui/picture.tsx'
import { number } from '../../words/format.ts'
import { Frame } from '../frame.tsx'
import { paths } from '../paths.ts'
import { signal } from '../scan/signal.ts'
import { listen } from '../scan/wedge.ts'
import { Assembling } from './assembling.tsx'
import { holderOf, Inside } from './inside.tsx'
import { Label } from './label.tsx'
import { Lots } from './lots.tsx'
import { Measuring } from './measuring.tsx'

const openedMax = 8

/** What a code is. Where it names one piece of work, that opens at once; of several the worker chooses. */
export function Code() {
  const { query } = useRoute()
  const { route } = useLocation()
  const code = query.code ?? ''
  const { data, error, reload } = useAnswer(code, async (abort) => {
    const { matches } = await staff('GET /lookup', { query: { code }, signal: abort })
    return { matches, works: await Promise.all(matches.slice(0, openedMax).map(workOf)) }
  })
  useLayoutEffect(() => listen((next) => route(paths.code(next))), [])
  useEffect(() => {
    if (data === undefined) return
    signal(data.matches.length === 0 ? 'alarm' : 'good')
    const [work] = data.works
    if (work !== undefined && data.matches.length === 1) route(work, true)
  }, [data])
  return (
    <Frame title="Что это?" about={code} back={paths.home}>
      <div class="home">
        <Failure error={error} retry={reload} />
        {data?.matches.length === 0 && (
          <p class="notice bad">Склад не знает этого кода. Отсканируйте ещё раз или другой код.</p>
        )}
        {data?.matches.map((match, n) => (
          <Match
            key={`${match.kind}${match.id}${match.client_id}`}
            match={match}
            work={data.works[n]}
            from={paths.code(code)}
            onMoved={reload}
          />
        ))}
      </div>
    </Frame>
  )
}

/** The page of the work that a match names; undefined for things that are no work. */
async function workOf(match: LookupMatch): Promise<string | undefined> {
  if (match.id === null) return undefined
  if (match.kind === 'receipt' && match.status !== undefined) return paths.receiving(match.id)
  const shipment = match.kind === 'shipment' ? match.id : match.shipment_id
  if (shipment == null || (match.kind !== 'shipment' && match.kind !== 'order')) return undefined
  const { items } = await staff('GET /picking-tasks', {
    query: { shipment_id: shipment, status: 'OPEN' },
  })
  return items[0] && paths.picking(items[0].id)
}

interface MatchProps {
  readonly match: LookupMatch
  readonly work: string | undefined
  readonly from: string
  readonly onMoved: () => void
}

function Match({ match, work, from, onMoved }: MatchProps) {
  const { title, name, client_name: client, quantity, places = [], location_code: place } = match
  const holder = holderOf(match)
  return (
    <section class="card">
      <h2>{title}</h2>
      <Thumbnail src={match.picture} name={name ?? title} />
      {name != null && !title.includes(name) && <p>{name}</p>}
      {client !== null && <p class="small">{client}</p>}
      {quantity !== undefined && <p>Всего {number(quantity)}</p>}
      {place != null && match.kind !== 'location' && <p>Стоит: {place}</p>}
      {holder !== undefined && match.id !== null && <Inside kind={holder} id={match.id} />}
      {places.length > 0 && (
        <ul class="places">
          {places.map((each) => (
            <li key={`${each.location_id}${each.box_id}`}>
              <b>{each.location_code ?? each.sscc ?? 'вне мест'}</b>
              {each.location_code !== null && each.sscc !== null && <span>{each.sscc}</span>}
              <span class="qty">{number(each.qty)}</span>
            </li>
          ))}
        </ul>
      )}
      {work !== undefined && (
        <a class="button wide" href={work}>
          Открыть: {client ?? title}
        </a>
      )}
      {match.kind === 'goods' && <Lots match={match} />}
      {match.kind === 'goods' && <Assembling match={match} onMoved={onMoved} />}
      {match.kind === 'goods' && <Measuring match={match} />}
      <Label match={match} from={from} />
    </section>
  )
}
