import { plainHtml } from '../../platform/kernel/plain-html.ts'
import type { LetterLine } from './channel.ts'

/** What a letter by e-mail says, as text and as HTML. Pure. */
export interface LetterText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Links {
  readonly settings: string
  readonly unsubscribe: string
}

export function textOfNotices(
  lines: readonly LetterLine[],
  { settings, unsubscribe }: Links,
): LetterText {
  const [only = 'Sklad', ...others] = lines.map(({ words }) => words)
  return {
    subject: others.length === 0 ? only : `Sklad: уведомлений — ${lines.length}`,
    text: [
      ...lines.map(({ words, url }) => `${words}\n${url}\n`),
      '--',
      `Что и когда присылать: ${settings}`,
      `Не присылать писем: ${unsubscribe}`,
      '',
    ].join('\n'),
    html: page([
      ...lines.map(
        ({ words, url }) => `<p><a href="${plainHtml(url)}">${plainHtml(words)}</a></p>`,
      ),
      `<hr><p><small><a href="${plainHtml(settings)}">Что и когда присылать</a> · ` +
        `<a href="${plainHtml(unsubscribe)}">Не присылать писем</a></small></p>`,
    ]),
  }
}

export function textOfCode(code: string): LetterText {
  const words = [
    `Код для уведомлений Sklad: ${code}`,
    'Введите его на странице уведомлений. Он действует час.',
    'Если вы не просили кода, ничего не делайте: писем не будет.',
  ]
  return {
    subject: 'Код для уведомлений Sklad',
    text: `${words.join('\n\n')}\n`,
    html: page(words.map((each) => `<p>${plainHtml(each)}</p>`)),
  }
}

function page(parts: readonly string[]): string {
  return (
    '<!doctype html><html lang="ru"><head><meta charset="utf-8"></head><body>' +
    `${parts.join('\n')}</body></html>`
  )
}
