import { readFileSync } from 'node:fs'

const path = new URL('../../../package.json', import.meta.url)

export const serviceVersion = (JSON.parse(readFileSync(path, 'utf8')) as { version: string })
  .version
