// "npm run dev": runs the service under "node --watch", which starts it anew when a file changes that it has loaded. Pages
// are bundled anew when a browser asks for one after a change.
import { watch } from 'node:fs'
import { bundleWeb, type WebFiles } from '../src/http/pages/bundle.ts'
import { serve } from '../src/main.ts'

let files: Promise<WebFiles> | undefined
// Pages share files with the service.
for (const folder of ['web', 'src']) {
  const path = new URL(`../${folder}`, import.meta.url)
  watch(path, { recursive: true, persistent: false }, () => {
    files = undefined
  })
}

await serve(process.env, 'all', () => {
  files ??= bundleWeb()
  return files
})
