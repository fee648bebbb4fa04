// Writes the OpenAPI document of the public API from the code: "npm run openapi".
import { writeFileSync } from 'node:fs'
import { documentPath, publicDocument } from './public-document.ts'

writeFileSync(new URL(`../${documentPath}`, import.meta.url), await publicDocument())
console.log(`${documentPath} is written`)
