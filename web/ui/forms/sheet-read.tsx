/** Which sheet of a book was read; nothing where the file has one sheet. */
export function SheetRead({ sheet }: { readonly sheet: string | null | undefined }) {
  if (sheet === null || sheet === undefined) return null
  return <p class="small">Прочитан лист «{sheet}»; другие листы не читаются.</p>
}
