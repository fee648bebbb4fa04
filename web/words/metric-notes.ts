/** A caveat of the API in the words of a page: it names fields of the funnel, `names` says how the page calls them. */
export function noteInWords(note: string, names: Readonly<Record<string, string>>): string {
  return note.replaceAll(/[a-z]+(?:_[a-z]+)*/g, (field) => {
    const name = names[field]
    return name === undefined ? field : `«${name}»`
  })
}
