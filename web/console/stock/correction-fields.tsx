import { Choice, TextField } from '../../ui/forms/form.tsx'
import { asksReason, lossesOf, useReasons } from '../parts/reasons.ts'

/** By how much units are corrected. */
export function DeltaField() {
  return (
    <TextField
      name="delta"
      type="number"
      label="На сколько изменить"
      hint="Прибавить 3 или убавить −3"
      required
    />
  )
}

/** `value` is the code of the usual one. */
export function ReasonChoice({ value }: { readonly value: string }) {
  return <Choice name="reason" label="Причина" {...useReasons('correction')} value={value} />
}

/** Why units go or are in question. None is usual, and the seller sees it. */
export function LossChoice() {
  const reasons = lossesOf(useReasons('correction'))
  return <Choice name="reason" label="Причина" {...reasons} asks={asksReason} />
}

export function CommentField() {
  return <TextField name="comment" label="Комментарий для журнала" />
}
