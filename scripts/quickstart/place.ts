import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../tests/support/free-port.ts'
import { openShell, type Shell } from './shell.ts'

/** Where the steps happen: a running service, and beside it what an integrator has. */
export interface Place {
  /** The address of the service, as its packages name it. */
  readonly baseUrl: string
  /** For whatever the steps leave behind; empty at first. */
  readonly folder: string
  /** For receivers, one at a time. */
  readonly receiverPort: number
  readonly env: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

export const documentAt = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

/** The tools ask nobody in the internet: the service has all that they need. */
const alone = {
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INDEX: '1',
  COMPOSER_ALLOW_SUPERUSER: '1',
  COMPOSER_NO_INTERACTION: '1',
}

/** `own` is the environment that any program needs. */
export async function openPlace(
  baseUrl: string,
  folder: string,
  own: Readonly<Record<string, string>>,
): Promise<Place> {
  const composer = join(folder, '.composer')
  mkdirSync(composer)
  const config = { repositories: { 'packagist.org': false } }
  writeFileSync(join(composer, 'config.json'), JSON.stringify(config))
  const receiverPort = await freePort()
  const env = {
    ...own,
    ...alone,
    // The Node of the project comes first; newman may be among the tools of its tests.
    PATH: `${root}bin:${own.PATH}:${root}tests/tools/node_modules/.bin`,
    npm_config_cache: join(folder, '.npm'),
    PIP_CACHE_DIR: join(folder, '.pip'),
    COMPOSER_HOME: composer,
    INBOX: join(folder, 'inbox.sqlite'),
    PORT: String(receiverPort),
  }
  return { baseUrl, folder, receiverPort, env }
}

/** A shell in the checkout, where the commands of README.md are pasted. */
export const rootShell = ({ env }: Place): Shell => openShell(root, env)

/** A text with what its reader puts in: addresses of the service and of the receiver, a key, a secret. */
export function filled(
  text: string,
  { baseUrl, receiverPort }: Place,
  { key = '', secret = '' }: { readonly key?: string; readonly secret?: string } = {},
): string {
  return text
    .replaceAll(/http:\/\/localhost:8080|https:\/\/api\.example\.ru/g, baseUrl)
    .replaceAll(/(?<=localhost:|PORT=)(?:8000|3000)\b/g, String(receiverPort))
    .replaceAll('https://shop.example.ru', `http://localhost:${receiverPort}`)
    .replaceAll(/svc_test_…|<ключ>/g, key)
    .replaceAll('whsec_…', secret)
}

/** The first match in what was printed; throws without one. */
export function found(pattern: RegExp, printed: string): string {
  const [match] = pattern.exec(printed) ?? []
  if (match === undefined) throw new Error(`there is no ${pattern} in:\n${printed}`)
  return match
}
