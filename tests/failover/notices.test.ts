import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/db/connection.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'
import { tell } from '../../src/warehouse/news/news.ts'
import { eventually } from '../support/faults.ts'
import { openMailServer, wordsOf } from '../support/mail-server.ts'
import { makeSeller } from '../support/notices.ts'
import { runCommand, startProcess } from '../support/process.ts'
import { at, makeClient } from '../support/warehouse.ts'

const clientsHere = 6
const usersOfClient = 15

/** Users of several clients who get letters, by their addresses. */
async function makeReaders(db: Database): Promise<ReadonlyMap<string, string>> {
  const of = new Map<string, string>()
  for (let n = 0; n < clientsHere; n++) {
    const { id: client } = await makeClient(db)
    for (let user = 0; user < usersOfClient; user++)
      of.set(`${await makeSeller(db, [client])}@example.ru`, client)
  }
  await db`
    insert into notice_people (user_id, side, email)
    select user_id, 'seller', user_id || '@example.ru' from seller_members`
  return of
}

const partOf = (letter: string) => {
  const { headers, bodies } = wordsOf(letter)
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1] ?? ''
  return { to: header('To'), id: header('Message-ID'), text: bodies[0] ?? '' }
}

// Guarantee (notices): After a kill each letter arrives at whom it was meant for, and a repeat is the same letter.
test('letters that a kill catches on their way arrive after it, to whom they were meant, under their ids', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'notices-'))
  const mail = await openMailServer()
  const settings = { SANDBOX_ROBOT: 'off', SMTP_URL: mail.url, SMTP_FROM: 'sklad@sklad.example' }
  const service = await startProcess(dataDir, settings)
  const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
  const db = openDatabase(target, { max: 2 })
  t.after(() => db.end().then(stop))
  /** What collects or was claimed by the killed process would wait for minutes. */
  const hurry = () => db`update notice_letters set due_at = now() where state = 'waiting'`

  const of = await makeReaders(db)
  for (const client of new Set(of.values())) {
    await at(db, Date.now(), (work) =>
      tell(work, [
        {
          clientId: client,
          kind: 'receipt_discrepancy',
          key: 'a',
          objectId: 'a',
          subject: `R-${client}`,
        },
      ]),
    )
  }
  const count = async (condition = db`true`) => {
    const [row] = await db<
      [{ count: number }]
    >`select count(*) from notice_letters where ${condition}`
    return row.count
  }
  await eventually('each user has a letter', async () => (await count()) === of.size)
  await hurry()
  await eventually('many have left', async () => mail.letters.length > of.size / 4)
  mail.mode = 'lose'
  const until = mail.letters.length
  await eventually('some are on their way', async () => mail.letters.length > until)
  await service.end('SIGKILL')
  assert.ok((await count(db`state = 'waiting'`)) > 0, 'the kill came before the end')

  mail.mode = 'take'
  await hurry()
  const again = await startProcess(dataDir, settings)
  await eventually('all are recorded', async () => (await count(db`state = 'sent'`)) === of.size)
  const parts = mail.letters.map(partOf)
  assert.deepEqual(new Set(parts.map(({ to }) => to)), new Set(of.keys()), 'none is lost')
  assert.equal(new Set(parts.map(({ id }) => id)).size, of.size, 'a repeat is the same letter')
  for (const { to, text } of parts)
    assert.deepEqual(text.match(/R-[0-9a-f-]{36}/g), [`R-${of.get(to)}`], 'to nobody else')
  const report = await runCommand(dataDir, ['audit'])
  assert.deepEqual(report.answer.findings, [])
  assert.equal((await again.end('SIGTERM')).code, 0)
})
