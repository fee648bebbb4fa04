import { useEffect } from 'preact/hooks'
import type { StaffDevice } from '../api/staff-calls.ts'
import { Failure } from '../ui/failure.tsx'
import { Field } from '../ui/forms/field.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useAutofocus } from '../ui/forms/use-autofocus.ts'
import { staff } from './api.ts'

/** The page of each kind of device. */
const pages = {
  HANDHELD: '/staff/scan',
  STATION: '/staff/print',
  SCREEN: '/staff/wall',
} as const satisfies Readonly<Record<StaffDevice['purpose'], string>>

interface EnrolFormProps {
  /** What the page is for: a code of another kind leads to the page of that kind. */
  readonly purpose: StaffDevice['purpose']
  /** A code that was scanned is used at once. */
  readonly scanned?: string | undefined
  readonly onEnrolled: (name: string) => void
}

/** Makes the browser an enrolled device by a manager's code. */
export function EnrolForm({ purpose, scanned, onEnrolled }: EnrolFormProps) {
  const action = useAction(async (code: string) => {
    const device = await staff('POST /devices/enrol', { body: { code } })
    if (device.purpose === purpose) onEnrolled(device.name)
    else location.assign(pages[device.purpose])
  })
  useEffect(() => {
    if (scanned !== undefined) void action.run(scanned)
  }, [scanned])
  const form = useAutofocus()
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void action.run(String(new FormData(event.currentTarget).get('code')).trim())
      }}
    >
      <Field
        name="code"
        label="Код от менеджера"
        hint="Отсканируйте его с экрана менеджера или введите; действует 15 минут."
        defaultValue={scanned}
        autocomplete="off"
        autocapitalize="characters"
        required
        autofocus
      />
      <Failure error={action.error} />
      <button type="submit" class="primary" disabled={action.busy}>
        Зарегистрировать
      </button>
    </form>
  )
}
