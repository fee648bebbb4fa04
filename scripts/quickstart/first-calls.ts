import { documentAt, filled, found, type Place, rootShell } from './place.ts'
import type { Step } from './report.ts'
import type { Running } from './shell.ts'
import { blocksIn, commandsByPart, sectionOf, wordsWith } from './texts.ts'

/** The chapter "Try the API" of README.md, and the recipes of the reference that the service serves. */

const chapter = sectionOf('## Try the API', documentAt('README.md'))
const commands = commandsByPart(chapter, {
  key: '/v1/sandbox/keys',
  whose: 'KEY=svc_test_',
  stock: '/v1/stock',
  receipt: '-X POST http://localhost:8080/v1/receipts',
  situation: '/v1/sandbox/triggers/',
  receiver: 'docs/samples/receiver.ts',
  subscription: '-X POST http://localhost:8080/v1/webhooks',
  listen: ' listen ',
})
const restartedReceiver = wordsWith('docs/samples/receiver.ts', chapter)

export function firstCalls(place: Place): Step[] {
  let key = ''
  const paste = (command: string) =>
    rootShell(place).run(`KEY=${key}\n${filled(command, place, { key })}`)
  return [
    {
      title: 'a sandbox key',
      run: async () => {
        key = await newKey(place)
        found(/"cabinets":/, await paste(commands.whose))
      },
    },
    { title: 'stock', run: async () => void found(/"in_question":/, await paste(commands.stock)) },
    { title: 'a receipt', run: () => announce(place, key, 'PO-1') },
    {
      title: 'a situation of the sandbox',
      run: async () => void found(/"touched":\[{/, await paste(commands.situation)),
    },
    {
      title: 'a webhook, its signature verified',
      run: async () => {
        const subscribe = () => paste(commands.subscription)
        let secret = ''
        {
          await using _receiver = await startReceiver(place)
          secret = found(/whsec_\w+/, await subscribe())
        }
        await using receiver = await startReceiver(place, secret)
        await announce(place, key, 'PO-2')
        await receiver.until(/^receipt\.created /m)
      },
    },
    { title: 'listen', run: () => listens(place) },
    { title: 'the recipes of the reference', run: () => recipes(place) },
  ]
}

/** The command takes the place of a subscription, so the sandbox has none. */
async function listens(place: Place): Promise<void> {
  const key = await newKey(place)
  await using listening = rootShell(place).start(
    `KEY=${key}\n${filled(commands.listen, place, { key })}`,
  )
  const secret = found(/whsec_\w+/, await listening.until(/Ctrl-C/))
  await using receiver = await startReceiver(place, secret)
  await announce(place, key, 'PO-1')
  await receiver.until(/^receipt\.created /m)
}

async function recipes(place: Place): Promise<void> {
  const { baseUrl, folder } = place
  const guide = await (await fetch(`${baseUrl}/docs/guide.md`)).text()
  const pasted = blocksIn(sectionOf('## Рецепты', guide), 'bash')
  const key = await newKey(place)
  const printed = await rootShell(place).run(
    [`cd '${folder}'`, ...pasted.map((each) => filled(each, place, { key }))].join('\n'),
  )
  found(/"next_after"/, printed)
}

/** Makes a sandbox. */
export async function newKey(place: Place): Promise<string> {
  return found(/svc_test_\w+/, await rootShell(place).run(filled(commands.key, place)))
}

/** Announces a receipt with a reference of its own. */
export async function announce(place: Place, key: string, reference: string): Promise<void> {
  const command = filled(commands.receipt, place).replace('PO-1', reference)
  found(/"id":"[^"]+"/, await rootShell(place).run(`KEY=${key}\n${command}`))
}

/** Starts the receiver of docs/samples, without a secret or with one. */
export async function startReceiver(place: Place, secret?: string): Promise<Running> {
  const command = secret === undefined ? commands.receiver : restartedReceiver
  const receiver = rootShell(place).start(filled(command, place, { secret: secret ?? '' }))
  await receiver.until(/Жду события/)
  return receiver
}
