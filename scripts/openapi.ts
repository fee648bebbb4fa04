// Writes the OpenAPI documents of both APIs from the code: "npm run openapi".
import { writeFileSync } from 'node:fs'
import { documentOf, publicApi, staffApi } from './documents.ts'

for (const api of [publicApi, staffApi]) {
  writeFileSync(new URL(`../${api.path}`, import.meta.url), await documentOf(api))
  console.log(`${api.path} is written`)
}
