import { useRef, useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import { paths } from '../paths.ts'
import { useTask } from '../queue/use-queue.ts'
import { useScanLoop } from '../scan/use-scan-loop.ts'
import { note, type Verdict } from '../scan/verdict.ts'
import { type Handful, isSamePlace, nameOfPlace, type Place } from './calls.ts'
import {
  askContents,
  type Change,
  type Contents,
  foldContents,
  isSameGoods,
  quantityOf,
} from './contents.ts'
import { moveVerdict, putVerdict, takeVerdict, type Verb, verbs } from './handling.ts'
import { type Meaning, meaningOf, type Owned } from './meaning.ts'

const key = 'units'

/** What the worker has in hand between two scans. */
export interface Hands {
  readonly verb: Verb
  readonly place?: Place | undefined
  /** Whose box the place is. */
  readonly boxClient?: string | undefined
  /** Taken to be moved; the next place is where they go. */
  readonly moving?: Handful | undefined
  /** The goods of the last scan, of which more can be handled at once. */
  readonly last?: Owned | undefined
  /** Clients that have the scanned goods: the worker is asked whose these are. */
  readonly asked?: readonly Owned[] | undefined
}

/** Handling loose units: what the worker has in hand, and what each scan does to it. */
export function useHands() {
  const hands = useRef<Hands>(remembered())
  const [, show] = useState({})
  const now = () => hands.current
  const become = (next: Partial<Hands>) => {
    hands.current = { ...hands.current, ...next }
    remember(hands.current)
    show({})
  }
  const task = useTask<Contents | null, readonly Change[]>(key, {
    ask: (signal) => askContents(now().place, signal),
    fold: foldContents,
  })
  const contents = () => {
    const known = task.now()
    return known != null && isSamePlace(known.place, now().place) ? known : undefined
  }
  const handle = (goods: Owned, qty: number): Verdict => {
    const { verb, place, moving } = now()
    if (place === undefined) return note('Сначала отсканируйте место или короб', 'surplus')
    become({ last: goods, asked: undefined })
    const items = contents()?.items
    const there = items && quantityOf(items, goods)
    if (verb === 'put') return putVerdict({ place, goods, qty, there })
    if (verb === 'take') return takeVerdict({ place, goods, qty, there })
    if (moving !== undefined && !isSameGoods(moving.goods, goods)) {
      return wrong(`Сначала отсканируйте, куда кладёте ${quoted(moving.goods.name)}`)
    }
    const held = (moving?.qty ?? 0) + qty
    become({ moving: { goods, qty: held } })
    return note(`${goods.name}: в руках ${held}. Куда?`)
  }
  const take = (owners: readonly Owned[]): Verdict => {
    const { place, last } = now()
    if (place === undefined) return wrong('Сначала отсканируйте место или короб')
    const meant = meantOwners(owners, now(), contents())
    const again = meant.find((owner) => last !== undefined && isSameGoods(owner, last))
    const [only] = meant
    if (only === undefined) return foreignToBox(owners[0])
    if (again !== undefined || meant.length === 1) return handle(again ?? only, 1)
    become({ asked: meant })
    return { kind: 'taken', outcome: 'surplus' }
  }
  const putBack = (): Verdict => {
    const name = now().moving?.goods.name ?? ''
    become({ moving: undefined, last: undefined })
    return note(`${name}: остаётся на месте`)
  }
  const goTo = (place: Place, boxClient: string | undefined): Verdict => {
    const { verb, place: from, moving } = now()
    if (verb === 'move' && from !== undefined && moving !== undefined) {
      if (isSamePlace(place, from)) return putBack()
      const verdict = moveVerdict(from, place, moving)
      if (verdict.kind !== 'wrong') become({ moving: undefined, last: undefined })
      return verdict
    }
    become({ place, boxClient, last: undefined })
    void task.reload()
    return note(`${verbs[verb]}: ${nameOfPlace(place)}. Теперь товар`)
  }
  const read = async (code: string): Promise<Verdict> => {
    if (now().asked !== undefined) return note('Сначала выберите, чей это товар', 'surplus')
    const meaning: Meaning = await meaningOf(code)
    if (meaning.kind === 'wrong') return meaning
    return meaning.kind === 'place' ? goTo(meaning.place, meaning.clientId) : take(meaning.owners)
  }
  const loop = useScanLoop(key, read)
  return {
    // Of what is in hand nothing is recorded yet: it is put back, not undone.
    loop: now().moving === undefined ? loop : { ...loop, last: undefined },
    hands: now(),
    items: contents()?.items,
    error: task.error,
    choose: (verb: Verb) => become({ verb, moving: undefined, last: undefined }),
    handle: (goods: Owned, qty: number) => loop.act(handle(goods, qty)),
    putBack: () => loop.act(putBack()),
    forget: () => become({ asked: undefined }),
  }
}

/** A box holds the goods of one client. */
function foreignToBox(goods: Owned | undefined): Verdict {
  const { name, clientName } = goods ?? {}
  return wrong(
    `${quoted(name ?? '')} другого клиента, ${clientName}: в этот короб нельзя. Отсканируйте другой короб или место`,
  )
}

/** Whose the scanned goods may be here. */
function meantOwners(
  owners: readonly Owned[],
  { verb, boxClient }: Hands,
  contents: Contents | undefined,
): readonly Owned[] {
  if (boxClient !== undefined) return owners.filter(({ clientId }) => clientId === boxClient)
  const likely = owners.filter((owner) =>
    verb === 'put' ? owner.loose > 0 : quantityOf(contents?.items ?? [], owner) > 0,
  )
  return likely.length === 0 ? owners : likely
}

function wrong(sentence: string): Verdict {
  return { kind: 'wrong', sentence }
}

/** The address holds where the worker stands, and its entry in the history what is in hand: a reload goes on there. */
function remember({ verb, place, moving }: Hands): void {
  const query = new URLSearchParams({ verb, ...(place && { [place.kind]: place.code }) })
  history.replaceState({ moving }, '', `${paths.units}?${query}`)
}

function remembered(): Hands {
  const query = new URLSearchParams(location.search)
  const verb = query.get('verb') ?? ''
  const kind = query.has('box') ? 'box' : 'location'
  const code = query.get(kind)
  return {
    verb: verb in verbs ? (verb as Verb) : 'put',
    place: code === null ? undefined : { kind, code },
    moving: (history.state as Pick<Hands, 'moving'> | null)?.moving,
  }
}
