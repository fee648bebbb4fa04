/** Views of lists that a user keeps in this browser: a name, and the address with its filters and columns. */

export interface SavedView {
  readonly name: string
  readonly href: string
}

function placeOf(login: string): string {
  return `views of ${login}`
}

/** All of a user's, in the order in which they were saved. */
export function savedViews(login: string): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(login)) ?? '[]')
    return Array.isArray(kept) ? (kept as SavedView[]) : []
  } catch {
    return []
  }
}

export function keepViews(login: string, views: readonly SavedView[]): void {
  localStorage.setItem(placeOf(login), JSON.stringify(views))
}

/** Whether a view is of the list at this path. */
export function isViewOf(path: string, { href }: SavedView): boolean {
  return new URL(href, location.origin).pathname === path
}
