/**
 * The state machine of a dispatcher. Pure: the dispatcher feeds it events and runs the lease
 * statements that it requests.
 *
 * | Mode     | Lease statement runs | Queues at work | Leaves                                        |
 * |----------|----------------------|----------------|-----------------------------------------------|
 * | idle     | no                   | 0 to 500       | to leasing, when there is demand and room;    |
 * |          |                      |                | to draining or stopped, on stop               |
 * | leasing  | yes                  | 0 to 500       | to idle or to the next lease, when it ends;   |
 * |          |                      |                | to stopping, on stop                          |
 * | stopping | yes                  | 0 to 500       | to draining or stopped, when it ends          |
 * | draining | no                   | 1 to 500       | to stopped, when the last queue ends          |
 * | stopped  | no                   | 0              | never                                         |
 *
 * Demand is what may be due: named clients, or everything (a full scan). It is collected in idle and
 * leasing; later modes ignore it. After a failed lease statement demand waits for the next event, so a
 * database that is away is not asked in a loop. An event that its mode rules out throws.
 */

/** Queues at work at once: more than there will be slow receivers at a time. */
export const queuesMax = 500
/** Full scans take at most this share of the time, however many queues are paused. */
const scanShare = 0.1

/** What one lease statement looks at, and how many queues it may lease. */
export type LeaseRequest =
  | { readonly kind: 'scan'; readonly queuesMax: number }
  | {
      readonly kind: 'clients'
      readonly clientIds: readonly string[]
      readonly queuesMax: number
    }

interface Demand {
  readonly scan: boolean
  /** On a monotonic clock, in milliseconds. */
  readonly scanNotBefore: number
  readonly clientIds: ReadonlySet<string>
}

interface Idle {
  readonly mode: 'idle'
  readonly working: number
  readonly demand: Demand
}
interface Leasing {
  readonly mode: 'leasing'
  readonly working: number
  /** Collected since the lease statement began. */
  readonly demand: Demand
  readonly request: LeaseRequest
}
interface Stopping {
  readonly mode: 'stopping'
  readonly working: number
}
interface Draining {
  readonly mode: 'draining'
  readonly working: number
}
interface Stopped {
  readonly mode: 'stopped'
}

export type DispatcherState = Idle | Leasing | Stopping | Draining | Stopped

export type DispatcherEvent =
  /** Something of a client may be due. */
  | { readonly type: 'clientDue'; readonly clientId: string }
  /** Anything may be due. */
  | { readonly type: 'scanDue' }
  /** The same, and the scan does not wait for its share of the time. */
  | { readonly type: 'scanForced' }
  /** The lease statement ended: so many queues are at work now, besides those before. */
  | { readonly type: 'leased'; readonly queues: number; readonly tookMs: number }
  | { readonly type: 'leaseFailed' }
  /** A queue gave its lease back. It is looked at again where something may be due since. */
  | { readonly type: 'queueEnded'; readonly clientId: string; readonly mayBeDue: boolean }
  /** A queue broke off with an error. */
  | { readonly type: 'queueFailed' }
  | { readonly type: 'stop' }

export interface Transition {
  readonly state: DispatcherState
  /** A lease statement to run now. */
  readonly request?: LeaseRequest
}

export const opened: DispatcherState = {
  mode: 'idle',
  working: 0,
  demand: { scan: false, scanNotBefore: Number.NEGATIVE_INFINITY, clientIds: new Set() },
}

/** Whether something is under way that a stop waits for. */
export function isBusy(state: DispatcherState): boolean {
  if (state.mode === 'stopped') return false
  return state.mode === 'leasing' || state.mode === 'stopping' || state.working > 0
}

/** The next state, at `nowMs` on a monotonic clock. Throws where the mode rules the event out. */
export function transition(
  state: DispatcherState,
  event: DispatcherEvent,
  nowMs: number,
): Transition {
  switch (state.mode) {
    case 'idle':
      return whenIdle(state, event, nowMs)
    case 'leasing':
      return whenLeasing(state, event, nowMs)
    case 'stopping':
      return { state: whenStopping(state, event) }
    case 'draining':
      return { state: whenDraining(state, event) }
    case 'stopped':
      if (isDemand(event) || event.type === 'stop') return { state }
      throw impossible(state, event)
  }
}

function whenIdle(state: Idle, event: DispatcherEvent, nowMs: number): Transition {
  switch (event.type) {
    case 'clientDue':
    case 'scanDue':
    case 'scanForced':
      return lease({ ...state, demand: demandAfter(state.demand, event) }, nowMs)
    case 'queueEnded':
    case 'queueFailed':
      return lease(
        { ...state, working: oneLess(state, event), demand: demandAfter(state.demand, event) },
        nowMs,
      )
    case 'stop':
      return { state: drained(state.working) }
    default:
      throw impossible(state, event)
  }
}

function whenLeasing(state: Leasing, event: DispatcherEvent, nowMs: number): Transition {
  const { working, demand, request } = state
  switch (event.type) {
    case 'clientDue':
    case 'scanDue':
    case 'scanForced':
      return { state: { ...state, demand: demandAfter(demand, event) } }
    case 'queueEnded':
    case 'queueFailed':
      return {
        state: { ...state, working: oneLess(state, event), demand: demandAfter(demand, event) },
      }
    case 'leased':
      return lease(
        {
          mode: 'idle',
          working: working + leasedQueues(state, event.queues),
          demand: demandLeft(demand, request, event, nowMs),
        },
        nowMs,
      )
    case 'leaseFailed':
      return { state: { mode: 'idle', working, demand: { ...demand, scan: true } } }
    case 'stop':
      return { state: { mode: 'stopping', working } }
  }
}

function whenStopping(state: Stopping, event: DispatcherEvent): DispatcherState {
  switch (event.type) {
    case 'queueEnded':
    case 'queueFailed':
      return { ...state, working: oneLess(state, event) }
    case 'leased':
      return drained(state.working + event.queues)
    case 'leaseFailed':
      return drained(state.working)
    default:
      return state
  }
}

function whenDraining(state: Draining, event: DispatcherEvent): DispatcherState {
  switch (event.type) {
    case 'queueEnded':
    case 'queueFailed':
      return drained(oneLess(state, event))
    case 'leased':
    case 'leaseFailed':
      throw impossible(state, event)
    default:
      return state
  }
}

function drained(working: number): Draining | Stopped {
  return working > 0 ? { mode: 'draining', working } : { mode: 'stopped' }
}

/** Leases, where there is demand and room; a scan leaves no client out. */
function lease(state: Idle, nowMs: number): Transition {
  const { working, demand } = state
  const room = queuesMax - working
  if (room === 0) return { state }
  if (demand.scan && nowMs >= demand.scanNotBefore) {
    const request = { kind: 'scan', queuesMax: room } as const
    return leasing(working, request, { ...demand, scan: false, clientIds: new Set() })
  }
  if (demand.clientIds.size > 0) {
    const request = { kind: 'clients', clientIds: [...demand.clientIds], queuesMax: room } as const
    return leasing(working, request, { ...demand, clientIds: new Set() })
  }
  return { state }
}

function leasing(working: number, request: LeaseRequest, demand: Demand): Transition {
  return { state: { mode: 'leasing', working, demand, request }, request }
}

/** A statement that leased as many as it might has perhaps left some: its demand stays. */
function demandLeft(
  demand: Demand,
  request: LeaseRequest,
  { queues, tookMs }: { readonly queues: number; readonly tookMs: number },
  nowMs: number,
): Demand {
  const full = queues === request.queuesMax
  if (request.kind === 'scan') {
    const scanNotBefore = nowMs + tookMs / scanShare
    return { ...demand, scan: demand.scan || full, scanNotBefore }
  }
  if (!full) return demand
  return { ...demand, clientIds: new Set([...request.clientIds, ...demand.clientIds]) }
}

function demandAfter(demand: Demand, event: DispatcherEvent): Demand {
  switch (event.type) {
    case 'queueEnded':
      return event.mayBeDue ? withClient(demand, event.clientId) : demand
    case 'clientDue':
      return withClient(demand, event.clientId)
    case 'scanDue':
      return { ...demand, scan: true }
    case 'scanForced':
      return { ...demand, scan: true, scanNotBefore: Number.NEGATIVE_INFINITY }
    default:
      return demand
  }
}

function withClient(demand: Demand, clientId: string): Demand {
  return { ...demand, clientIds: new Set([...demand.clientIds, clientId]) }
}

function isDemand({ type }: DispatcherEvent): boolean {
  return type === 'clientDue' || type === 'scanDue' || type === 'scanForced'
}

function oneLess(state: Idle | Leasing | Stopping | Draining, event: DispatcherEvent): number {
  if (state.working === 0) throw impossible(state, event)
  return state.working - 1
}

function leasedQueues({ request }: Leasing, queues: number): number {
  if (queues <= request.queuesMax) return queues
  throw new Error(`dispatcher: ${queues} queues leased where ${request.queuesMax} were requested`)
}

function impossible(state: DispatcherState, event: DispatcherEvent): Error {
  const working = 'working' in state ? `, ${state.working} queues at work` : ''
  return new Error(`dispatcher: ${event.type} is impossible in mode ${state.mode}${working}`)
}
