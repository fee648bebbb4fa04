import { plainHtml } from '../../platform/kernel/plain-html.ts'

/** Markdown of descriptions as plain HTML: what a first look needs, and no more. */

export interface TextSection {
  /** As the page names it in its addresses. */
  readonly anchor: string
  readonly html: string
}

/** The sections of a text, each with the smaller ones inside it. */
export function sectionsOf(markdown: string): TextSection[] {
  const parts = markdown.split(/^(?=#{1,3} )/m).map((text) => ({ text, level: levelOf(text) }))
  return parts.flatMap(({ text, level }, at) => {
    if (level === 0) return []
    const end = parts.findIndex((other, index) => index > at && other.level <= level)
    const inside = parts.slice(at, end < 0 ? undefined : end).map((part) => part.text)
    return [{ anchor: anchorOf(text), html: htmlOf(inside.join('')) }]
  })
}

function levelOf(text: string): number {
  return /^#{1,3}(?= )/.exec(text)?.[0].length ?? 0
}

function anchorOf(text: string): string {
  const title = text.slice(0, text.indexOf('\n')).replace(/^#+ /, '')
  const words = title.toLowerCase().replace(/[^\p{L}\p{N}\s-]/gu, '')
  return `description/${words.trim().replace(/\s/g, '-')}`
}

export function htmlOf(markdown: string): string {
  return markdown
    .split(/^```/m)
    .map((part, at) =>
      at % 2 === 0 ? proseOf(part) : `<pre>${plainHtml(withoutLanguage(part))}</pre>`,
    )
    .join('')
}

function withoutLanguage(code: string): string {
  return code.slice(code.indexOf('\n') + 1)
}

function proseOf(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const heading = /^(#{1,3}) (.*)$/.exec(part.trim())
      if (heading !== null)
        return `<h${heading[1]?.length}>${inline(heading[2] ?? '')}</h${heading[1]?.length}>`
      // Lists and tables keep their lines.
      const isPlain = !/^(?:\||[-*] |\d+\. )/m.test(part)
      return `<p>${inline(part.trim()).replaceAll('\n', isPlain ? ' ' : '<br>')}</p>`
    })
    .join('')
}

/** Code and bold words; of a link or a picture its words; the rest as it is. */
export function inline(text: string): string {
  return plainHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/!?\[([^\]]+)\]\([^)\s]*\)/g, '$1')
}
