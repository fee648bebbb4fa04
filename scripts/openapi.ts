// Writes the OpenAPI documents of both APIs from the code, and the client's types from the public one: "npm run openapi".
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { documentOf, publicApi, staffApi } from './documents.ts'
import { sdkTypes, sdkTypesPath } from './sdk-types.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

for (const api of [publicApi, staffApi]) {
  const text = await documentOf(api)
  write(api.path, text)
  if (api === publicApi) write(sdkTypesPath, sdkTypes(text))
}
// The service packs the client without a compiler, so its declarations are kept.
execFileSync(`${root}node_modules/.bin/tsc`, ['-p', 'sdk/typescript', '--emitDeclarationOnly'], {
  cwd: root,
})
console.log('sdk/typescript/types is written')

function write(path: string, text: string): void {
  writeFileSync(`${root}${path}`, text)
  console.log(`${path} is written`)
}
