// Writes what follows from the code: the OpenAPI documents of all APIs, from them the types of the clients and of the web pages,
// and the pages of settings and guarantees: "npm run openapi".
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { accountApi, documentOf, type Kept, publicApi, staffApi } from './documents.ts'
import { guaranteesPage, guaranteesPath, readGuarantees } from './guarantees.ts'
import { pythonTypes, pythonTypesPath } from './python-types.ts'
import { sdkTypes, sdkTypesPath } from './sdk-types.ts'
import { settingsPage, settingsPath } from './settings.ts'
import { accountCallsPath, staffCallsPath, webCalls } from './web-calls.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const [ofPublic, ofAccount, ofStaff] = [
  await written(publicApi),
  await written(accountApi),
  await written(staffApi),
]
write(sdkTypesPath, sdkTypes(ofPublic))
write(pythonTypesPath, pythonTypes(ofPublic))
const client = { text: ofPublic, types: sdkTypesPath }
write(accountCallsPath, webCalls(ofAccount, '/account/v1', accountApi.path, client))
const account = { text: ofAccount, types: accountCallsPath }
write(staffCallsPath, webCalls(ofStaff, '/staff/v1', staffApi.path, account))
write(settingsPath, settingsPage())
write(guaranteesPath, guaranteesPage(readGuarantees()))
// The service packs the client without a compiler, so its declarations are kept.
execFileSync(`${root}node_modules/.bin/tsc`, ['-p', 'sdk/typescript'], { cwd: root })
console.log('sdk/typescript/types is written')

async function written(api: Kept): Promise<string> {
  const text = await documentOf(api)
  write(api.path, text)
  return text
}

function write(path: string, text: string): void {
  writeFileSync(`${root}${path}`, text)
  console.log(`${path} is written`)
}
