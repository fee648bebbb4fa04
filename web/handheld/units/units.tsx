import { Failure } from '../../ui/failure.tsx'
import { number } from '../../words/format.ts'
import { Quantity } from '../receiving/quantity.tsx'
import { Choice } from '../scan/choice.tsx'
import { Place } from '../scan/place.tsx'
import { ScanScreen } from '../scan/scan-screen.tsx'
import { nameOfPlace } from './calls.ts'
import { type Verb, verbs } from './handling.ts'
import { type Hands, useHands } from './use-hands.ts'

const shownMax = 30

/** Loose units: put at a place or into a box, taken, or moved. */
export function Units() {
  const { loop, hands, items, error, choose, handle, putBack, forget } = useHands()
  const { verb, place, moving, last, asked } = hands
  return (
    <ScanScreen
      title={verbs[verb]}
      about={place === undefined ? 'Место или короб, потом товар' : nameOfPlace(place)}
      resume="товар на местах"
      loop={loop}
      actions={
        <>
          {moving !== undefined && (
            <button type="button" class="undo" onClick={putBack}>
              Оставить на месте
            </button>
          )}
          {last !== undefined && (
            <Quantity
              item={last}
              label={verb === 'put' ? 'Положить ещё несколько' : 'Взять ещё несколько'}
              onGiven={(qty) => handle(last, qty)}
              onNext={loop.take}
            />
          )}
          {Object.entries(verbs).map(([name, label]) => (
            <button
              key={name}
              type="button"
              class={name === verb ? 'chosen' : ''}
              aria-pressed={name === verb}
              onClick={() => choose(name as Verb)}
            >
              {label}
            </button>
          ))}
        </>
      }
    >
      <Place name={place === undefined ? 'Место?' : nameOfPlace(place)} />
      <p>{adviceOf(hands)}</p>
      {place !== undefined && items === undefined && <Failure error={error} />}
      {items !== undefined && items.length === 0 && moving === undefined && (
        <p class="quiet">Россыпью ничего не лежит</p>
      )}
      <ul class="lines">
        {items?.slice(0, shownMax).map(({ barcode, clientId, name, qty }) => (
          <li key={`${clientId}${barcode}`}>
            <span class="line-name">{name}</span>
            <span class="qty">{number(qty)}</span>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <Choice title="Чей это товар?" onClose={forget}>
          {asked.map((owner) => (
            <button
              key={owner.clientId}
              type="button"
              class="wide"
              onClick={() => handle(owner, 1)}
            >
              {owner.clientName}
            </button>
          ))}
        </Choice>
      )}
    </ScanScreen>
  )
}

function adviceOf({ verb, place, moving }: Hands): string {
  if (place === undefined) return 'Отсканируйте место или короб'
  if (moving !== undefined) return `«${moving.goods.name}», ${moving.qty} шт.: отсканируйте, куда`
  if (verb === 'put') return 'Отсканируйте товар, который кладёте, или другое место'
  return 'Отсканируйте товар, который берёте, или другое место'
}
