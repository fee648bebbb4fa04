import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { runSteps, type Step } from '../../scripts/quickstart/report.ts'
import { commandsByPart, wordsWith } from '../../scripts/quickstart/texts.ts'

/** "npm run quickstart": the commands of README.md, and the first programs of the clients, as they are pasted and saved. */

const script = fileURLToPath(new URL('../../scripts/quickstart.ts', import.meta.url))

test('every step that this machine can run holds, in the order of the texts', async () => {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [script], { env: { PATH, HOME } })
  const ended = once(child, 'exit')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  assert.deepEqual([(await ended)[0], err], [0, ''], out)
  const lines = out.trim().split('\n')
  const titles = lines.map((line) => {
    const [, run, skipped] = /^(?: *\d+\.\d s {2}(.+)|skipped {2}(\w+): \w+ is missing .+)$/.exec(
      line,
    ) ?? [line]
    return run ?? skipped
  })
  assert.deepEqual(titles, [
    'the service starts',
    'a sandbox key',
    'stock',
    'a receipt',
    'a situation of the sandbox',
    'a webhook, its signature verified',
    'listen',
    'the recipes of the reference',
    'JavaScript',
    'Python',
    'PHP',
    'Postman',
    'in all',
  ])
})

async function printedBy(steps: readonly Step[]) {
  const lines: string[] = []
  const held = await runSteps(steps, (line) => lines.push(line.replace(/\d+\.\d/, 'N')))
  return { held, lines }
}

test('the first step that fails is the last, and says why; what is missing is skipped', async () => {
  const done: string[] = []
  const step = (title: string): Step => ({ title, run: async () => void done.push(title) })
  const fails: Step = { title: 'bad', run: async () => assert.fail('$ curl\nno answer') }
  assert.deepEqual(
    await printedBy([step('good'), { ...step('PHP'), missing: 'no php' }, fails, step('later')]),
    {
      held: false,
      lines: ['  N s  good', 'skipped  PHP: no php', '  N s  bad: FAILED\n$ curl\nno answer'],
    },
  )
  assert.deepEqual(done, ['good'])
  assert.deepEqual(await printedBy([step('good')]), {
    held: true,
    lines: ['  N s  good', '  N s  in all'],
  })
})

test('a command of a text that no step runs, or that is gone or doubled, is refused', () => {
  const shown = '```bash\ncurl /me\n```\n`newman run x`\n```bash\ncurl /stock\n```\n'
  const parts = { whose: '/me', stock: '/stock' }
  assert.deepEqual(commandsByPart(shown, parts), { whose: 'curl /me\n', stock: 'curl /stock\n' })
  assert.throws(() => commandsByPart(shown, { whose: '/me' }), /no step runs.*\n.*\/stock/)
  assert.throws(() => commandsByPart(shown, { ...parts, more: '/orders' }), /0 commands with/)
  assert.throws(() => commandsByPart(shown, { any: 'curl' }), /2 commands with "curl"/)
  assert.equal(wordsWith('newman', shown), 'newman run x')
})
