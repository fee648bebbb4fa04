import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceError } from '../../platform/kernel/errors.ts'
import { plainHtml } from '../../platform/kernel/plain-html.ts'

/**
 * For a person whose browser opens a file in a tab, such as a label, and is refused: the reason in words and a way
 * on, instead of JSON. Pages and programs that call get JSON as ever.
 */

const homes = { '/staff/': '/staff/app', '/account/': '/account' } as const

/** Where a person goes on; undefined for a call of a page or a program. Only navigation asks for HTML first. */
export function homeOfVisitor({ method, url, headers }: FastifyRequest): string | undefined {
  if (method !== 'GET' || headers.accept?.startsWith('text/html') !== true) return undefined
  return Object.entries(homes).find(([path]) => url.startsWith(path))?.[1]
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto 0;padding:0 1rem}h1{font-size:1.25rem}'
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; frame-ancestors 'self'`

export function sendErrorPage(reply: FastifyReply, error: ServiceError, home: string) {
  const isOut = error.code === 'unauthorized'
  const message = isOut ? 'Сессия закончилась' : error.message
  const advice = isOut
    ? `<a href="${home}">Войдите снова</a>, потом откройте файл ещё раз.`
    : `Закройте эту вкладку или перейдите <a href="${home}">на главную</a>.`
  reply.header('Content-Security-Policy', policy)
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Не открылось · Sklad</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${plainHtml(message)}</h1>
<p>${advice}</p>
</main>
</body>
</html>
`)
}
