import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { openEmail } from '../../src/exchange/notices/email.ts'
import { listLetters } from '../../src/exchange/notices/letter-log.ts'
import { claimLetters, lettersAnHour, recordLetter } from '../../src/exchange/notices/letters.ts'
import {
  askForEmail,
  codeOf,
  confirmEmail,
  findPerson,
  keepSettings,
} from '../../src/exchange/notices/people.ts'
import { type Channels, openNoticeSender } from '../../src/exchange/notices/sender.ts'
import { readSmtpUrl } from '../../src/exchange/notices/smtp-server.ts'
import { makeUnsubscribing } from '../../src/exchange/notices/unsubscribe.ts'
import { changeMember } from '../../src/identity/sellers/members.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { hour, minute } from '../../src/platform/kernel/moscow-time.ts'
import { setSwitch } from '../../src/platform/process/switches.ts'
import { tell } from '../../src/warehouse/events/news.ts'
import { testDatabase } from '../support/database.ts'
import { openMailServer, wordsOf } from '../support/mail-server.ts'
import { makeSeller, tellDiscrepancy } from '../support/notices.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase()
const clock = new ManualClock(noon)
const log = { error: ({ err }: { err: unknown }) => assert.fail(String(err)), warn: () => {} }
const mail = await openMailServer()
const baseUrl = 'https://sklad.example'
const keys = [Buffer.alloc(32, 1)]
const unsubscribing = makeUnsubscribing(keys, baseUrl)
const server = readSmtpUrl(mail.url)
assert.ok(server !== undefined)
const from = 'sklad@sklad.example'
const parts = { server, from, baseUrl, keys, unsubscribing }
const email = openEmail(parts)
const senderOf = (channels: Channels) => openNoticeSender({ db, clock, channels, log })
const sender = senderOf({ email })
/** For what hangs. */
const hastySender = senderOf({ email: openEmail({ ...parts, timeoutMs: 300 }) })

beforeEach(async () => {
  mail.letters.length = 0
  mail.mode = 'take'
  clock.advance(2 * hour)
  await db`delete from notices`
  await db`delete from notice_letters`
  await db`delete from news`
})

/** A user whose address is confirmed. */
async function makeReader(clientIds: readonly string[]) {
  const user = { side: 'seller', userId: await makeSeller(db, clientIds) } as const
  const address = `${user.userId}@example.ru`
  await at(db, clock.now(), (work) => askForEmail(work, user, address))
  const { email_asked_at } = await findPerson(db, user.userId)
  const code = codeOf(keys[0] ?? Buffer.alloc(0), user.userId, address, email_asked_at ?? never())
  await sender.runOnce()
  assert.equal(wordsOf(mail.letters.at(-1) ?? '').bodies[0]?.includes(code), true)
  assert.equal(
    await at(db, clock.now(), (work) => confirmEmail(work, keys, user, code)),
    'confirmed',
  )
  mail.letters.length = 0
  return { ...user, address }
}

function never(): never {
  throw new Error('no code was asked for')
}

let happened = 0
const happen = (clientId: string, subject = `R-${++happened}`) =>
  tellDiscrepancy(db, clientId, subject, clock.now())
/** Lets the letter that collects become due, and sends. */
async function later(ms = minute, by = sender) {
  await by.runOnce()
  clock.advance(ms)
  await by.runOnce()
}
const states = async () => (await listLetters(db, undefined, { limit: 50, after: undefined })).items

suite('a letter', () => {
  test('says what happened in text and in HTML, opens it, and ends letters by one link', async () => {
    const { id: client } = await makeClient(db)
    const reader = await makeReader([client])
    await happen(client, 'R-77')
    await later()
    assert.equal(mail.letters.length, 1)
    const { headers, bodies } = wordsOf(mail.letters[0] ?? '')
    const [text = '', html = ''] = bodies
    assert.match(headers, new RegExp(`^To: ${reader.address}$`, 'm'))
    assert.match(headers, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    assert.match(headers, /^Auto-Submitted: auto-generated$/m)
    assert.match(text, /^Приёмка R-77 принята с расхождением$/m)
    const link = `${baseUrl}/account/open?client=${client}&to=%2Faccount%2Freceipts%2Fa`
    assert.ok(text.includes(link))
    assert.ok(html.includes(`href="${link.replace('&', '&amp;')}"`))
    assert.doesNotMatch(text, /Проверка/, 'a user of one client knows which it is')
    const token = /token=([\w-]+)/.exec(text)?.[1] ?? ''
    assert.ok(headers.includes(token), 'the header has the same link')
    assert.equal(await at(db, noon, (work) => unsubscribing.end(work, `${token}x`)), false)
    assert.equal(await at(db, noon, (work) => unsubscribing.end(work, token)), true)
    await happen(client)
    await later()
    assert.equal(mail.letters.length, 1)
  })

  test('of a burst is one, and says whose it is to a user of several clients', async () => {
    const [{ id: one }, { id: two }] = [await makeClient(db), await makeClient(db)]
    await db`update clients set name = 'ИП Иванова Мария' where id = ${two}`
    await makeReader([one, two])
    for (let n = 0; n < 3; n++) await happen(one)
    await happen(two, 'R-5')
    await later()
    assert.equal(mail.letters.length, 1)
    const [text = ''] = wordsOf(mail.letters[0] ?? '').bodies
    assert.match(text, /^ООО «Проверка»: Приёмки с расхождением: 3$/m)
    assert.match(text, /^ИП И\. М\.: Приёмка R-5 принята с расхождением$/m)
  })

  // Guarantee (notices): No name of goods or of a client adds a header, a line or markup to a letter.
  test('says hostile names as text: no header, line or markup of theirs', async () => {
    const [{ id: one }, { id: two }] = [await makeClient(db), await makeClient(db)]
    const name = 'ООО «<b>Зло</b>»\r\nBcc: a@evil.ru\r\n\r\n.\r\n\u202eэхо & "К°"'
    await db`update clients set name = ${name} where id = ${two}`
    const reader = await makeReader([one, two])
    await happen(two, '<img src=x onerror=1>\nBcc: b@evil.ru\r\n.\r\nQUIT\u2066 *_[a](b)')
    await later()
    assert.equal(mail.letters.length, 1)
    const { headers, bodies } = wordsOf(mail.letters[0] ?? '')
    const [text = '', html = ''] = bodies
    assert.match(headers, new RegExp(`^To: ${reader.address}$`, 'm'))
    assert.doesNotMatch(headers, /^(Bcc|QUIT)/im)
    const words =
      /^ООО «<b>Зло<\/b>» Bcc: a@evil\.ru \. эхо & "К°": Приёмка <img src=x onerror=1> .* принята/m
    assert.match(text, words)
    assert.doesNotMatch(text, /^(Bcc|QUIT)/m)
    assert.doesNotMatch(text + html, /[\u202e\u2066]/)
    assert.doesNotMatch(html, /<img|<b>/)
    assert.match(html, /&lt;b&gt;Зло&lt;\/b&gt;/)
  })

  // Guarantee (notices): Each of many notices at once goes once, to its own user.
  test('of a thousand users at once each gets one, of the own client', async () => {
    const clients = await Promise.all(
      Array.from({ length: 20 }, async () => (await makeClient(db)).id),
    )
    const of = new Map<string, string>()
    for (let n = 0; n < 50; n++) {
      const made = clients.map(async (client) => {
        of.set(`${await makeSeller(db, [client])}@example.ru`, client)
      })
      await Promise.all(made)
    }
    await db`
      insert into notice_people (user_id, side, email)
      select m.user_id, 'seller', m.user_id || '@example.ru' from seller_members m
      where m.client_id = any(${clients}::uuid[])`
    await Promise.all(clients.map((client) => happen(client, `R-${client}`)))
    const senders = [sender, senderOf({ email })]
    await Promise.all(senders.map((each) => each.runOnce()))
    clock.advance(minute)
    // A mail server that hangs meanwhile delays some of them.
    mail.mode = 'busy'
    await sender.runOnce()
    mail.mode = 'take'
    clock.advance(minute)
    for (let turn = 0; turn < 200 && mail.letters.length < 1_000; turn++) {
      await Promise.all(senders.map((each) => each.runOnce()))
    }
    const sent = mail.letters.map((letter) => {
      const { headers, bodies } = wordsOf(letter)
      return [/^To: (.*)$/m.exec(headers)?.[1] ?? '', bodies[0] ?? ''] as const
    })
    assert.equal(new Set(sent.map(([to]) => to)).size, 1_000)
    assert.equal(sent.length, 1_000)
    for (const [to, text] of sent) {
      assert.deepEqual(text.match(/R-[0-9a-f-]{36}/g), [`R-${of.get(to)}`])
    }
  })

  test('waits for the end of quiet hours, and for the hour of the digest', async () => {
    const { id: client } = await makeClient(db)
    const reader = await makeReader([client])
    const choice = { bell: true, email: 'digest', telegram: 'off' } as const
    clock.set(Date.parse('2026-12-01T23:00:00+03:00'))
    await at(db, clock.now(), (work) =>
      keepSettings(work, reader, {
        choices: { receipt_completed: choice },
        digestHour: 10,
        quiet: { from: 22, to: 8 },
      }),
    )
    await happen(client)
    await at(db, clock.now(), (work) =>
      tell(work, [{ clientId: client, kind: 'receipt_completed', key: 'a', subject: 'R-9' }]),
    )
    await later(8 * hour)
    assert.equal(mail.letters.length, 0, 'at seven')
    await later(hour)
    assert.match(wordsOf(mail.letters[0] ?? '').bodies[0] ?? '', /с расхождением/)
    await later(2 * hour)
    assert.match(wordsOf(mail.letters[1] ?? '').bodies[0] ?? '', /R-9 принята/)
    assert.equal(mail.letters.length, 2)
  })

  // Guarantee (notices): A letter says nothing of a client that its user no longer works for.
  test('says nothing of a client that its user has lost', async () => {
    const [{ id: kept }, { id: lost }] = [await makeClient(db), await makeClient(db)]
    const reader = await makeReader([kept, lost])
    await happen(kept, 'R-1')
    await happen(lost, 'R-2')
    await sender.runOnce()
    await at(db, noon, (work) =>
      changeMember(work, lost, reader.userId, { role: undefined, keepsOwner: false }),
    )
    await later()
    const [text = ''] = wordsOf(mail.letters[0] ?? '').bodies
    assert.match(text, /R-1/)
    assert.doesNotMatch(text, /R-2/)
  })

  test('goes at most twelve times an hour: what comes above waits in the next one', async () => {
    const { id: client } = await makeClient(db)
    await makeReader([client])
    for (let n = 0; n < lettersAnHour + 3; n++) {
      await happen(client)
      await later()
    }
    // The letter with the code was one of them.
    assert.equal(mail.letters.length, lettersAnHour - 1)
    await later(hour)
    assert.equal(mail.letters.length, lettersAnHour)
    assert.match(wordsOf(mail.letters.at(-1) ?? '').bodies[0] ?? '', /с расхождением: 4$/m)
  })

  test('waits while notices are switched off, and the bell goes on', async () => {
    const { id: client } = await makeClient(db)
    await makeReader([client])
    await setSwitch(db, 'notices', false)
    await happen(client)
    await later()
    assert.equal(mail.letters.length, 0)
    const [row] = await db<[{ count: number }]>`select count(*) from notices`
    assert.equal(row.count, 1)
    await setSwitch(db, 'notices', true)
    await later()
    assert.equal(mail.letters.length, 1)
  })
})

suite('a mail server that', () => {
  const troubles = [
    ['hang', 'Почтовый сервер не ответил вовремя'],
    ['busy', 'Почтовый сервер отказал (код 451)'],
  ] as const
  for (const [mode, problem] of troubles) {
    test(`does as in mode ${mode} is asked again after growing pauses`, async () => {
      const { id: client } = await makeClient(db)
      await makeReader([client])
      mail.mode = mode
      await happen(client)
      await later(minute, hastySender)
      const [first] = await states()
      assert.deepEqual([first?.state, first?.attempts, first?.problem], ['waiting', 1, problem])
      await later(minute, hastySender)
      assert.equal((await states())[0]?.attempts, 2)
      await later(4 * minute, hastySender)
      assert.equal((await states())[0]?.attempts, 2, 'the second pause is five minutes')
      mail.mode = 'take'
      await later(minute)
      const [last] = await states()
      assert.deepEqual([last?.state, last?.attempts], ['sent', 3])
      assert.equal(mail.letters.length, 1)
    })
  }

  test('knows no such mailbox ends the letter, and the user is shown why', async () => {
    const { id: client } = await makeClient(db)
    const reader = await makeReader([client])
    mail.mode = 'refuse'
    await happen(client)
    await later()
    assert.equal((await states())[0]?.state, 'failed')
    const { email_problem } = await findPerson(db, reader.userId)
    assert.equal(email_problem, 'Почтовый сервер не принял письмо (код 550)')
  })

  test('is gone for good ends the letter after eight attempts', async () => {
    const { id: client } = await makeClient(db)
    await makeReader([client])
    mail.mode = 'busy'
    await happen(client)
    await later()
    for (let n = 0; n < 10; n++) await later(13 * hour)
    const [letter] = await states()
    assert.deepEqual([letter?.state, letter?.attempts], ['failed', 8])
  })
})

suite('a process that is killed', () => {
  // Guarantee (notices): A kill loses no letter; one that is sent twice has the same id.
  test('between claim and sending loses nothing', async () => {
    const { id: client } = await makeClient(db)
    await makeReader([client])
    await happen(client)
    await sender.runOnce()
    clock.advance(minute)
    const claimed = await at(db, clock.now(), (work) => claimLetters(work, ['email'], 10))
    assert.equal(claimed.length, 1)
    await sender.runOnce()
    assert.equal(mail.letters.length, 0, 'the claim lasts')
    await later()
    assert.equal(mail.letters.length, 1)
    await later(hour)
    assert.equal(mail.letters.length, 1, 'and it goes once')
  })

  test('between sending and recording sends the letter once more, under its id', async () => {
    const { id: client } = await makeClient(db)
    await makeReader([client])
    await happen(client)
    mail.mode = 'lose'
    await later(minute, hastySender)
    mail.mode = 'take'
    await happen(client)
    await later()
    const idOf = (letter: string) => /^Message-ID: (.*)$/im.exec(letter)?.[1]
    // A letter about what came later may leave beside it.
    const [lost = '', again = '', ...more] = mail.letters.filter(
      (letter) => idOf(letter) === idOf(mail.letters[0] ?? ''),
    )
    assert.deepEqual(more, [])
    assert.deepEqual(wordsOf(again).bodies, wordsOf(lost).bodies, 'as it was')
    assert.match(wordsOf(again).bodies[0] ?? '', /^Приёмка R-\d+ принята/m)
  })

  test('comes back too late to record anything: the letter has gone on without it', async () => {
    const { id: client } = await makeClient(db)
    await makeReader([client])
    await happen(client)
    await sender.runOnce()
    clock.advance(minute)
    const [slow] = await at(db, clock.now(), (work) => claimLetters(work, ['email'], 10))
    assert.ok(slow !== undefined)
    mail.mode = 'busy'
    await later()
    await at(db, clock.now(), (work) => recordLetter(work, slow, { kind: 'sent' }))
    const [letter] = await states()
    assert.deepEqual([letter?.state, letter?.attempts], ['waiting', 2])
  })

  test('between a change and its notices loses nothing: two processes pass it on once', async () => {
    const { id: client } = await makeClient(db)
    const reader = await makeReader([client])
    await happen(client)
    await Promise.all([sender.runOnce(), senderOf({ email }).runOnce()])
    await later()
    const rows = await db`select id from notices where user_id = ${reader.userId}`
    assert.deepEqual([rows.length, mail.letters.length], [1, 1])
  })
})

suite('an address', () => {
  test('is asked for once a minute, and five wrong codes end its code', async () => {
    const { id: client } = await makeClient(db)
    const user = { side: 'seller', userId: await makeSeller(db, [client]) } as const
    const ask = () => at(db, clock.now(), (work) => askForEmail(work, user, 'a@example.ru'))
    const confirm = (code: string) =>
      at(db, clock.now(), (work) => confirmEmail(work, keys, user, code))
    await assert.rejects(confirm('000000'), { code: 'conflict' })
    await ask()
    await assert.rejects(ask(), { code: 'conflict' })
    for (let n = 0; n < 5; n++) assert.equal(await confirm('wrong'), 'wrong')
    await assert.rejects(confirm('wrong'), { code: 'conflict' })
    clock.advance(minute)
    await ask()
    assert.equal(await confirm('wrong'), 'wrong')
    clock.advance(61 * minute)
    await assert.rejects(confirm('wrong'), { code: 'conflict' })
  })
})

test('a public name that leads into the own network gets no letter', async () => {
  const inside = { ...server, host: 'mail.example.com' }
  const route = { lookup: async () => ['127.0.0.1'] }
  const channel = openEmail({ server: inside, from, baseUrl, keys, unsubscribing, ...route })
  const { id: client } = await makeClient(db)
  await makeReader([client])
  await happen(client)
  const other = senderOf({ email: channel })
  await other.runOnce()
  clock.advance(minute)
  await other.runOnce()
  assert.equal((await states())[0]?.problem, 'Почтовый сервер недоступен')
  assert.equal(mail.letters.length, 0)
})
