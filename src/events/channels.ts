/** Dispatchers listen here for ids of clients with new deliveries. It only wakes them; the table decides. */
export const deliveriesChannel = 'sklad_deliveries'

/** Held polls of the feed listen here for ids of clients with new events. It only wakes them. */
export const eventsChannel = 'sklad_events'
