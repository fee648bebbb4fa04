import { runClientCommand } from '../../../sdk/typescript/src/command-line.ts'
import type { Shell } from './command.ts'

/** Commands of the integrators' package, for those who have a checkout. They talk to a service over HTTP. */
export function addIntegratorCommands({ sklad }: Shell): void {
  for (const [name, description] of [
    ['listen', 'send the events of the feed to a receiver on this machine; Ctrl-C ends'],
    ['trigger', 'bring about a situation in a sandbox'],
  ] as const) {
    sklad
      .command(name)
      .description(description)
      .argument('[arguments...]')
      // The package reads its own options, so that they are the same in both places.
      .allowUnknownOption()
      .helpOption(false)
      .action((args: string[]) => runInteractively([name, ...args]))
  }
}

async function runInteractively(args: readonly string[]): Promise<void> {
  const controller = new AbortController()
  const end = () => controller.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  process.exitCode = await runClientCommand(args, {
    print: console.log,
    printError: console.error,
    signal: controller.signal,
  })
}
