import type { Undo, Verdict } from '../scan/verdict.ts'
import {
  type Goods,
  type Handful,
  moveCall,
  nameOfPlace,
  type Place,
  putCall,
  takeCall,
} from './calls.ts'
import type { Change } from './contents.ts'

export type Verb = 'put' | 'take' | 'move'

export const verbs: Readonly<Record<Verb, string>> = {
  put: 'Положить',
  take: 'Взять',
  move: 'Переложить',
}

/** `there`: how many lie at the place before; undefined where nobody knows. */
interface Handled extends Handful {
  readonly place: Place
  readonly there: number | undefined
}

export function putVerdict(handled: Handled): Verdict {
  const { place, goods, qty, there } = handled
  return {
    kind: 'counts',
    call: putCall(place, handled),
    effect: [{ place, goods, units: qty }] satisfies Change[],
    outcome: 'good',
    ...figureOf(there === undefined ? undefined : there + qty),
    sentence: `${goods.name}: положено ${qty} → ${nameOfPlace(place)}`,
    undo: undoBy(takeCall(place, handled), goods, there),
  }
}

export function takeVerdict(handled: Handled): Verdict {
  const { place, goods, qty, there } = handled
  const left = there === undefined ? undefined : Math.max(0, there - qty)
  return {
    kind: 'counts',
    call: takeCall(place, handled),
    effect: [{ place, goods, units: -qty }] satisfies Change[],
    outcome: left === 0 ? 'full' : 'good',
    ...figureOf(left),
    sentence: `${goods.name}: взято ${qty}${left === undefined ? '' : `, здесь осталось ${left}`}`,
    undo: undoBy(putCall(place, handled), goods, there),
  }
}

export function moveVerdict(from: Place, to: Place, handful: Handful): Verdict {
  const { goods, qty } = handful
  const call = moveCall(from, to, handful)
  if (call === undefined) {
    const sentence = 'Из короба на место одним действием нельзя: возьмите, потом положите'
    return { kind: 'wrong', sentence }
  }
  const back = moveCall(to, from, handful)
  const change = [
    { place: from, goods, units: -qty },
    { place: to, goods, units: qty },
  ] satisfies Change[]
  return {
    kind: 'counts',
    call,
    effect: change,
    outcome: 'full',
    figure: qty,
    sentence: `${goods.name}: ${nameOfPlace(from)} → ${nameOfPlace(to)}`,
    ...(back === undefined ? {} : { undo: undoBy(back, goods, undefined) }),
  }
}

function figureOf(figure: number | undefined) {
  return figure === undefined ? {} : { figure }
}

/** Handling is undone by the opposite, once it is certain that the handling itself was done. */
function undoBy(
  call: ReturnType<typeof putCall>,
  { name }: Goods,
  after: number | undefined,
): Undo {
  return { name, figureAfter: after, call: () => call, onlyWhenDone: true }
}
