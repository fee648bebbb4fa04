import type { Event, WebhookPingEvent } from './api.ts'

/** Событие, на которое можно подписаться. В `data` — объект, каким его в тот момент показал бы GET. */
export type SkladEvent = Exclude<Event, WebhookPingEvent>

export type SkladEventType = SkladEvent['type']
