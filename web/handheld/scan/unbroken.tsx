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
