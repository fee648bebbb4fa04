import { useLayoutEffect } from 'preact/hooks'

/** Sets the document's title before the page is painted: a heading never stands under the title of another page. */
export function useTitle(title: string | undefined): void {
  useLayoutEffect(() => {
    document.title = title === undefined ? 'Sklad' : `${title} · Sklad`
  }, [title])
}
