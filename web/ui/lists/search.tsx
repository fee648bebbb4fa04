import { useAddress } from '../address.ts'

/** A text that the address keeps as `search`; Enter looks. */
export function Search({ label }: { readonly label: string }) {
  const { query, go } = useAddress()
  return (
    <search>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          const search = String(new FormData(event.currentTarget).get('search')).trim()
          go({ search, cursor: undefined })
        }}
      >
        <div class="field">
          <label for="search">{label}</label>
          <input id="search" name="search" type="search" defaultValue={query.search ?? ''} />
        </div>
        <button type="submit">Найти</button>
      </form>
    </search>
  )
}
