import { Choice, TextField } from '../../ui/form.tsx'
import { useReasons } from '../parts/reasons.ts'

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
export function ReasonChoice({ value }: { readonly value?: string | undefined }) {
  return <Choice name="reason" label="Причина" {...useReasons('correction')} value={value} />
}

export function CommentField() {
  return <TextField name="comment" label="Комментарий для журнала" />
}
