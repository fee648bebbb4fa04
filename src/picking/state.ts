/**
 * States of a picking task, which is opened and completed together with its shipment:
 *
 *   OPEN --complete--> DONE
 *
 * Units are picked and missing goods are reported while it is OPEN.
 */
export const pickingTaskStatuses = ['OPEN', 'DONE'] as const
export type PickingTaskStatus = (typeof pickingTaskStatuses)[number]

export const pickingTaskVerbs = ['pick', 'report', 'complete'] as const
export type PickingTaskVerb = (typeof pickingTaskVerbs)[number]

const from: Readonly<Record<PickingTaskVerb, PickingTaskStatus>> = {
  pick: 'OPEN',
  report: 'OPEN',
  complete: 'OPEN',
}

/** Whether the verb is allowed for a picking task in that status. */
export function allowsPickingVerb(status: PickingTaskStatus, verb: PickingTaskVerb): boolean {
  return from[verb] === status
}
