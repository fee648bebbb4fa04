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

/** A text whose codes, such as B-02-3, stay in one line as long as they fit into it. */
export function Unbroken({ text }: { readonly text: string }) {
  return text.split(/(\S*\d\S*)/).map((part, n) =>
    n % 2 === 0 ? (
      part
    ) : (
      <span key={n} class="unbroken">
        {part}
      </span>
    ),
  )
}
