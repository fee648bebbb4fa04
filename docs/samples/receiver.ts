// Приём событий Sklad: Node.js 24 или новее, без зависимостей.
//   WEBHOOK_SECRET=whsec_… PORT=8000 INBOX=inbox.sqlite node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'

/** Секреты подписок через запятую; пока их нет, приёмник отвечает только на webhook.ping. */
const secrets = (process.env.WEBHOOK_SECRET ?? '').split(/[\s,]+/).filter((secret) => secret !== '')
const port = Number(process.env.PORT ?? 8000)
const maxAgeSeconds = 300
const maxBytes = 10 * 1024 * 1024

// Ящик входящих: событие сначала попадает на диск, потом получает ответ 2xx и лишь затем
// обрабатывается. Повтор того же id ящик не примет.
const inbox = new DatabaseSync(process.env.INBOX ?? 'inbox.sqlite')
inbox.exec(`create table if not exists inbox (
  id text primary key, body text not null, done integer not null default 0)`)
const keep = inbox.prepare('insert into inbox (id, body) values (?, ?) on conflict do nothing')
const waiting = inbox.prepare('select id, body from inbox where done = 0 order by rowid limit 100')
const finish = inbox.prepare('update inbox set done = 1 where id = ?')

/** Чего не хватает; undefined, если подпись верна и время попытки отличается от нашего не больше чем на пять минут. */
function problemOf(request: IncomingMessage, body: Buffer): string | undefined {
  if (secrets.length === 0) return 'секрета нет, запустите приёмник с WEBHOOK_SECRET=<secret>'
  const timestamp = String(request.headers['x-svc-timestamp'] ?? '')
  const signature = String(request.headers['x-svc-signature'] ?? '')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp)) return 'нет X-SVC-Timestamp, это не доставка Sklad'
  if (age > maxAgeSeconds) return `время попытки отличается на ${Math.round(age)} с, проверьте часы`
  const given = Buffer.from(signature)
  const isGenuine = secrets.some((secret) => {
    const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body)
    const expected = Buffer.from(`sha256=${hmac.digest('hex')}`)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isGenuine ? undefined : 'подпись не сошлась, в WEBHOOK_SECRET нет секрета этой подписки'
}

/** Здесь ваша работа. Порядок событий не обещан: сверяйтесь с состоянием в самом событии. */
function handle(event: { id: string; type: string; data: unknown }): void {
  console.log(`${event.type} ${event.id}`)
}

/** Ошибка оставляет событие в ящике до следующего раза. */
function work(): void {
  for (const { id, body } of waiting.all()) {
    try {
      handle(JSON.parse(String(body)))
      finish.run(String(id))
    } catch (error) {
      console.error(`${id}:`, error)
    }
  }
}

const server = createServer(async (request, response) => {
  try {
    if (!(Number(request.headers['content-length']) <= maxBytes)) {
      response.writeHead(413, { Connection: 'close' }).end()
      return
    }
    const body = await buffer(request) // байты как пришли: разбирать их до проверки нельзя
    const problem = problemOf(request, body)
    if (problem !== undefined) {
      // Пинг новой подписки подписан секретом, которого здесь ещё нет: ответить, и только.
      const event = request.headers['x-svc-event'] ?? 'запрос без X-SVC-Event'
      const status = event === 'webhook.ping' ? 204 : 401
      console.error(`${event}, ответ ${status}: ${problem}`)
      response.writeHead(status).end()
      return
    }
    const text = body.toString('utf8')
    keep.run(JSON.parse(text).id, text)
    response.writeHead(204).end()
    setImmediate(work)
  } catch (error) {
    console.error(error)
    response.writeHead(500).end() // событие придёт ещё раз
  }
})
server.on('error', (error: NodeJS.ErrnoException) => {
  const isTaken = error.code === 'EADDRINUSE'
  console.error(
    isTaken
      ? `Порт ${port} занят, возможно, приёмник уже запущен: задайте другой PORT`
      : error.message,
  )
  process.exit(1)
})
server.listen(port, () => {
  const url = `http://localhost:${port}/sklad`
  console.log(`Жду события на ${url}`)
  if (secrets.length > 0) return
  console.log(`Подпишите адрес: POST /v1/webhooks {"url": "${url}", "events": ["receipt.completed"]}.
Ответ покажет secret один раз: запустите приёмник ещё раз с WEBHOOK_SECRET=<secret>.`)
})

work() // то, что осталось с прошлого запуска
setInterval(work, 10_000)
