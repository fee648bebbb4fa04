import type { ComponentProps } from 'preact'
import { useAddress } from '../../ui/address.ts'
import { Form, type FormValues } from '../../ui/forms/form.tsx'

interface OpenedFormProps extends Omit<ComponentProps<typeof Form>, 'act' | 'cancel'> {
  /** The parameters of the address that hold the form open. */
  readonly by?: readonly string[]
  /** `close` leads to the page without the form. */
  readonly act: (values: FormValues, close: () => void) => Promise<unknown>
}

/** A form that the address opens. Cancelling leads to the page without it. */
export function OpenedForm({ by = ['form'], act, ...form }: OpenedFormProps) {
  const { hrefWith, go } = useAddress()
  const closed = Object.fromEntries(by.map((name) => [name, undefined]))
  return (
    <Form {...form} cancel={hrefWith(closed)} act={(values) => act(values, () => go(closed))} />
  )
}
