import { escaped } from './page.ts'

/** A printable document of labels: an HTML page list, each label on a sheet of its own. */

export type LabelImage =
  /** Drawn here. */
  | { readonly svg: string }
  /** From a marketplace: shown as an image, so that nothing in it runs. */
  | { readonly contentType: 'image/svg+xml' | 'image/png'; readonly bytes: Buffer }

export function labelsHtml(title: string, labels: readonly LabelImage[]): string {
  const style =
    '@page{size:58mm 40mm;margin:0}body{margin:0}' +
    'div{width:58mm;height:40mm;overflow:hidden;break-after:page}' +
    'svg,img{display:block;width:58mm;height:40mm;object-fit:contain}'
  const sheets = labels.map((label) => `<div>${imageOf(label)}</div>`)
  return (
    `<!doctype html>\n<html lang="ru"><head><meta charset="utf-8"><title>${escaped(title)}</title>` +
    `<style>${style}</style></head><body>\n${sheets.join('\n')}\n</body></html>\n`
  )
}

function imageOf(label: LabelImage): string {
  if ('svg' in label) return label.svg
  return `<img alt="" src="data:${label.contentType};base64,${label.bytes.toString('base64')}">`
}
