import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'
import { eventually } from '../support/faults.ts'
import { openMailServer, wordsOf } from '../support/mail-server.ts'
import { makeSellers, tellDiscrepancy } from '../support/notices.ts'
import { runCommand, startProcess } from '../support/process.ts'

const partOf = (letter: string) => {
  const { headers, bodies } = wordsOf(letter)
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1] ?? ''
  return { to: header('To'), id: header('Message-ID'), text: bodies[0] ?? '' }
}

// Guarantee (notices): After a kill each letter arrives at its user, and a repeat is the same letter.
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

  const sellers = await makeSellers(db, { clients: 6, usersOfEach: 15 })
  const of = new Map([...sellers].map(([user, client]) => [`${user}@example.ru`, client]))
  await db`
    insert into notice_people (user_id, side, email)
    select user_id, 'seller', user_id || '@example.ru' from seller_members`
  for (const client of new Set(of.values()))
    await tellDiscrepancy(db, client, `R-${client}`, Date.now())
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
