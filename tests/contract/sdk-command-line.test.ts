import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Sklad } from '../../sdk/typescript/src/client.ts'
import { runClientCommand } from '../../sdk/typescript/src/command-line.ts'

/** What the commands say to a caller who typed something wrong, before any call to a service. */

const key = 'svc_test_x'
const nobody = 'http://127.0.0.1:1'
const refusingTime = { random: () => 0, elapsedMs: () => 0, wait: async () => {} }

async function run(...args: string[]) {
  let printed = ''
  let errors = ''
  const code = await runClientCommand(args, {
    print: (line) => {
      printed += `${line}\n`
    },
    printError: (line) => {
      errors += `${line}\n`
    },
    signal: new AbortController().signal,
    timing: refusingTime,
  })
  return { code, printed, errors }
}

suite('a wrong command', () => {
  for (const [title, args, said] of [
    ['misspelt', ['lisen'], /^unknown command "lisen", did you mean "listen"\?\n\nUsage:/],
    ['begun', ['trig'], /did you mean "trigger"/],
    ['unlike any', ['deploy'], /^unknown command "deploy"\n\nUsage:/],
    [
      'with a misspelt option',
      ['listen', '--forwad-to', 'x'],
      /^unknown option "--forwad-to", did you mean "--forward-to"\?/,
    ],
    ['without the value of an option', ['listen', '--key'], /--key <value>/],
    ['without a name', ['trigger', '--key', key], /^name the situation/],
    ['with an empty name', ['trigger', '', '--key', key], /^name the situation/],
    ['with too much', ['trigger', 'order_new', 'now'], /^unexpected argument "now"/],
    ['without a key', ['trigger', 'order_new'], /^--key is missing/],
    ['with the key of the manual', ['trigger', 'order_new', '--key', 'svc_test_…'], /not a key/],
    ['without an address', ['trigger', 'order_new', '--key', key], /^--base-url is missing/],
    [
      'with half an address',
      ['trigger', 'order_new', '--key', key, '--base-url', 'localhost:8080'],
      /^--base-url: "localhost:8080" must begin with http/,
    ],
    [
      'with an empty secret',
      ['listen', '--key', key, '--base-url', nobody, '--forward-to', nobody, '--secret', ''],
      /^--secret is empty/,
    ],
  ] as const) {
    test(title, async () => {
      const { code, errors } = await run(...args)
      assert.equal(code, 1)
      assert.match(errors, said)
      assert.doesNotMatch(errors, /TypeError|[а-яё]/i)
    })
  }
})

test('a service that is not there is named, whether the address ends with /v1 or not', async () => {
  for (const baseUrl of [nobody, `${nobody}/`, `${nobody}/v1`, `${nobody}/v1/`]) {
    const called = await run('trigger', 'order_new', '--key', key, '--base-url', baseUrl)
    assert.equal(called.code, 1)
    assert.match(called.errors, /^connection_lost: no connection to the service; check --base-url/)
  }
})

test('help is not an error', async () => {
  for (const args of [['--help'], ['help'], ['listen', '-h'], []]) {
    const { code, printed, errors } = await run(...args)
    assert.deepEqual({ code, errors }, { code: 0, errors: '' })
    assert.match(printed, /^Usage:\n {2}sklad-client listen/)
  }
})

test('the client refuses a key that no header can carry', () => {
  assert.throws(() => new Sklad({ key: 'svc_test_…', baseUrl: nobody }), /это не ключ/)
})
