import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { announce, newKey, startReceiver } from './first-calls.ts'
import { documentAt, filled, found, type Place } from './place.ts'
import type { Step } from './report.ts'
import { openShell, type Running, type Shell } from './shell.ts'
import { blocksIn, blockWith, type SavedProgram, savedPrograms, wordsWith } from './texts.ts'

/** The first minutes of each client, in an empty folder, and the collection for Postman. */

export function clients(place: Place): Step[] {
  const lacks = (probe: string) => whyMissing(place, probe)
  const sqlite = `php -r 'exit((int) !extension_loaded("pdo_sqlite"));'`
  return [
    { title: 'JavaScript', missing: lacks('npx --version'), run: () => javascript(place) },
    {
      title: 'Python',
      missing: lacks(`python3 -c 'import ensurepip, venv'`),
      run: () => withReceiver(place, 'python'),
    },
    {
      title: 'PHP',
      missing: lacks(sqlite) ?? lacks('composer --version'),
      run: () => withReceiver(place, 'php'),
    },
    {
      title: 'Postman',
      missing: lacks('newman --version'),
      run: async () => {
        const command = wordsWith('newman run', documentAt('README.md'))
        await openFolder('postman', place).shell.run(filled(command, place))
      },
    },
  ]
}

/** `probe` ends well where the program is there and has what is needed. */
function whyMissing({ env }: Place, probe: string): string | undefined {
  const { status } = spawnSync('bash', ['-c', probe], { env, stdio: 'ignore' })
  return status === 0 ? undefined : `${probe.split(' ', 1)[0]} is missing (${probe})`
}

interface Folder {
  readonly shell: Shell
  save(name: string, text: string): void
}

function openFolder(name: string, { folder, env }: Place): Folder {
  const path = join(folder, name)
  mkdirSync(path)
  // What a reader activates once holds in each shell of the step.
  const PATH = `${path}/venv/bin:${env.PATH}`
  return {
    shell: openShell(path, { ...env, PATH }),
    save: (file, text) => writeFileSync(join(path, file), text),
  }
}

async function javascript(place: Place): Promise<void> {
  const readme = documentAt('sdk/typescript/README.md')
  const { shell, save } = openFolder('javascript', place)
  const [five] = savedPrograms(readme)
  if (five === undefined) throw new Error('the README has no program')
  // Without a package of its own, npm would install into one that lies above.
  await shell.run('npm init -y')
  await shell.run(filled(blockWith('npm i', readme), place))
  save(five.file, filled(five.text, place))
  found(/^R-\d+ PENDING_CONFIRMATION$/m, await shell.run(five.command))

  const key = await newKey(place)
  const shown = (part: string) => filled(blockWith(part, readme), place, { key })
  await using listening = shell.start(shown('sklad-client listen'))
  const secret = found(/whsec_\w+/, await listening.until(/Ctrl-C/))
  await using receiver = await startReceiver(place, secret)
  await shell.run(shown('sklad-client trigger'))
  await receiver.until(/^receipt\.completed /m)
}

/** What the README of a client shows: the first program, and a receiver, which verifies an event of the service. */
async function withReceiver(place: Place, language: 'python' | 'php'): Promise<void> {
  const readme = documentAt(`sdk/${language}/README.md`)
  const { shell, save } = openFolder(language, place)
  const [five, receiver] = savedPrograms(readme)
  if (five === undefined || receiver === undefined) throw new Error('the README lacks a program')
  for (const command of blocksIn(readme, 'bash')) await shell.run(filled(command, place))
  for (const each of [five, receiver]) save(each.file, filled(each.text, place))
  found(/^receipt\.created R-\d+$/m, await shell.run(five.command))

  const printed = await subscribed()
  const secret = found(/^whsec_\w+$/m, printed)
  const again = wordsWith(`WEBHOOK_SECRET=whsec_… ${receiver.command}`, readme)
  await using restarted = await listening(shell, filled(again, place, { secret }), place)
  await announce(place, found(/svc_test_\w+/, printed), 'PO-2')
  await restarted.until(/^receipt\.created \S+$/m)

  /** The README subscribes where its first program has ended: with its client. */
  async function subscribed(): Promise<string> {
    const { file, command, text } = five as SavedProgram
    const subscribe = blockWith('webhooks', readme, language)
    save(`subscribe-${file}`, filled(`${text}\n${subscribe}`, place))
    await using _receiver = await listening(shell, filled(`${receiver?.command}`, place), place)
    return await shell.run(command.replace(file, `subscribe-${file}`))
  }
}

const patienceMs = 30_000

/** Starts a receiver that does not say when it listens. */
async function listening(shell: Shell, command: string, place: Place): Promise<Running> {
  const receiver = shell.start(command)
  const address = `http://localhost:${place.receiverPort}/`
  const until = performance.now() + patienceMs
  while (
    !(await fetch(address, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    ))
  ) {
    if (performance.now() > until) await receiver.until(/it listens/)
    await sleep(50)
  }
  return receiver
}
