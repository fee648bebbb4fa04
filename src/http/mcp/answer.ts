import { excerpt } from '../../platform/kernel/errors.ts'
import { itemsMax } from './tools.ts'

/** What a tool answers to a model: the JSON of the API, cut where it is long, and how to go on. */

/** Of lists inside the objects of a list. */
const innerItemsMax = 10

export interface ApiAnswer {
  readonly statusCode: number
  readonly body: string
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
}

export interface ToolAnswer {
  // The library's type asks for it.
  [key: string]: unknown
  content: { type: 'text'; text: string }[]
  isError: boolean
}

export function toolAnswer({ statusCode, body, headers }: ApiAnswer): ToolAnswer {
  const answer = JSON.parse(body) as Readonly<Record<string, unknown>>
  if (statusCode >= 400) return texts(true, errorWords(answer, headers['retry-after']))
  const isPage = Array.isArray(answer.items) && ('next_cursor' in answer || 'next_after' in answer)
  const unknown = headers['x-unknown-parameters']
  const cuts = unknown === undefined ? [] : [`Таких параметров нет, они не учтены: ${unknown}.`]
  const shown = shorten(answer, isPage ? innerItemsMax : itemsMax, cuts, isPage)
  return texts(false, JSON.stringify(shown), ...(isPage ? nextPage(answer) : []), ...cuts)
}

export function unknownTool(name: string, tools: readonly { readonly name: string }[]): ToolAnswer {
  const known = tools.map((tool) => tool.name).join(', ')
  return texts(true, `Нет инструмента ${excerpt(name)}; есть: ${known}`)
}

function texts(isError: boolean, ...given: readonly string[]): ToolAnswer {
  return { isError, content: given.map((text) => ({ type: 'text', text })) }
}

function errorWords(answer: Readonly<Record<string, unknown>>, retryAfter: unknown): string {
  const { code, message, request_id } = answer.error as Readonly<Record<string, string>>
  const wait = retryAfter === undefined ? '' : ` Повторите через ${retryAfter} с.`
  return `${code}: ${message}.${wait} Номер запроса: ${request_id}`
}

function nextPage({ next_cursor, next_after, has_more, total }: Readonly<Record<string, unknown>>) {
  if (has_more === true) return [`Есть ещё события: повторите с after="${next_after}".`]
  if (typeof next_cursor !== 'string') return []
  return [`Всего ${total}. Следующая страница: повторите с cursor="${next_cursor}".`]
}

/** A page's own list is as long as the page. Says of each other list that it cuts how many it leaves out. */
function shorten(value: unknown, max: number, cuts: string[], isPage = false): unknown {
  if (Array.isArray(value)) return value.map((each) => shorten(each, max, cuts))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => {
    const isLong = Array.isArray(field) && field.length > max && !(isPage && name === 'items')
    if (!isLong) return [name, shorten(field, max, cuts)]
    cuts.push(`В ${name} показаны первые ${max} из ${field.length}.`)
    return [name, shorten(field.slice(0, max), max, cuts)]
  })
  return Object.fromEntries(fields)
}
