import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'

/** Where the browser of the tests is, and the libraries that a bare machine lacks. */
export interface Chromium {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser of the npm package on Linux x64, elsewhere one that is installed. */
export async function findChromium(): Promise<Chromium> {
  if (process.platform === 'linux' && process.arch === 'x64') return unpackedChromium()
  const executablePath = installed.find(existsSync)
  if (executablePath === undefined) {
    throw new Error(
      'The browser tests need Chrome or Chromium, and none is installed on this machine',
    )
  }
  return { executablePath, env: {} }
}

const version = '153.0.0'
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sklad')

/** Unpacks the package once per machine. Of several processes at once the first that is done wins. */
async function unpackedChromium(): Promise<Chromium> {
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const fresh = await mkdtemp(join(cache, 'unpacking-'))
    await unpackInto(fresh)
    await writeFile(join(fresh, 'fonts', 'fonts.conf'), fontSettings(folder))
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }))
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      FONTCONFIG_PATH: join(folder, 'fonts'),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    },
  }
}

/** The package's own settings name a folder that only its usual host has. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
}

/** The package unpacks into the folder for temporary files. */
async function unpackInto(folder: string): Promise<void> {
  const archives = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'))
  const outer = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    const parts = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br', 'swiftshader.tar.br']
    await Promise.all(parts.map((name) => inflate(fileURLToPath(new URL(name, archives)))))
  } finally {
    if (outer === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = outer
  }
}
