import type { ComponentProps } from 'preact'
import { useAddress } from '../../ui/address.ts'
import { Form } from '../../ui/form.tsx'

/** A form that `form` of the address opens: whoever gives up is led to the page without it. */
export function OpenedForm(props: Omit<ComponentProps<typeof Form>, 'cancel'>) {
  const { hrefWith } = useAddress()
  return <Form {...props} cancel={hrefWith({ form: undefined })} />
}
