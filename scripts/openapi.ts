// Writes what follows from the code: the OpenAPI documents of all APIs, from them the types of the clients and of the web pages,
// and the pages of settings and guarantees: "npm run openapi".
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { accountApi, documentOf, publicApi, staffApi } from './documents.ts'
import { guaranteesPage, guaranteesPath, readGuarantees } from './guarantees.ts'
import { pythonTypes, pythonTypesPath } from './python-types.ts'
import { sdkTypes, sdkTypesPath } from './sdk-types.ts'
import { settingsPage, settingsPath } from './settings.ts'
import { accountCallsPath, staffCallsPath, webCalls } from './web-calls.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const publicText = await documentOf(publicApi)
for (const api of [publicApi, accountApi, staffApi]) {
  const text = api === publicApi ? publicText : await documentOf(api)
  write(api.path, text)
  if (api === publicApi) {
    write(sdkTypesPath, sdkTypes(text))
    write(pythonTypesPath, pythonTypes(text))
  }
  if (api === accountApi)
    write(accountCallsPath, webCalls(text, '/account/v1', api.path, publicText))
  if (api === staffApi) write(staffCallsPath, webCalls(text, '/staff/v1', api.path))
}
write(settingsPath, settingsPage())
write(guaranteesPath, guaranteesPage(readGuarantees()))
// The service packs the client without a compiler, so its declarations are kept.
execFileSync(`${root}node_modules/.bin/tsc`, ['-p', 'sdk/typescript'], { cwd: root })
console.log('sdk/typescript/types is written')

function write(path: string, text: string): void {
  writeFileSync(`${root}${path}`, text)
  console.log(`${path} is written`)
}
