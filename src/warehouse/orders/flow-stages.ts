/** The way of an order through the warehouse, in its order. */
export const flowStages = [
  'to_pick',
  'picking',
  'checking',
  'ready',
  'handed_over',
  'accepted',
] as const
export type FlowStage = (typeof flowStages)[number]

export const flowStageWords =
  'to_pick: ни в одной отгрузке. picking: в отгрузке, не собраны. checking: собраны, упаковку проверяют. ' +
  'ready: можно передавать. handed_over: переданы сегодня. accepted: приняты маркетплейсом сегодня. ' +
  'В отгрузке, где упаковку не проверяют, собранные сразу ready.'
