import { Unbroken } from './unbroken.tsx'

/** What does not fit into one line in the largest size. */
const longMin = 12

/** Where to go, or what is wanted: the largest words of a task. */
export function Place({ name }: { readonly name: string }) {
  return (
    <p class={name.length >= longMin ? 'place long' : 'place'}>
      <Unbroken text={name} />
    </p>
  )
}
