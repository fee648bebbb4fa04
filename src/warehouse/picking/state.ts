/**
 * States of a picking task, which is opened and completed together with its shipment:
 *
 *   OPEN --complete--> DONE
 *
 * While it is OPEN users claim it, units are picked, checked and put back, missing goods are reported,
 * and a manager decides about them.
 */
export const pickingTaskStatuses = ['OPEN', 'DONE'] as const
export type PickingTaskStatus = (typeof pickingTaskStatuses)[number]

export const pickingTaskVerbs = [
  'claim',
  'pick',
  'undo',
  'check',
  'report',
  'decide',
  'complete',
] as const
export type PickingTaskVerb = (typeof pickingTaskVerbs)[number]

const from: Readonly<Record<PickingTaskVerb, PickingTaskStatus>> = {
  claim: 'OPEN',
  pick: 'OPEN',
  undo: 'OPEN',
  check: 'OPEN',
  report: 'OPEN',
  decide: 'OPEN',
  complete: 'OPEN',
}

/** Whether the verb is allowed for a picking task in that status. */
export function allowsPickingVerb(status: PickingTaskStatus, verb: PickingTaskVerb): boolean {
  return from[verb] === status
}
