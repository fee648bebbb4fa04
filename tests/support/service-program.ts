// The service as `sklad serve` runs it, without pages.
import { serve } from '../../src/main.ts'

const none = { script: '', style: '', modules: [], later: {} }
const entries = {
  account: none,
  console: none,
  front: none,
  handheld: none,
  kiosk: none,
  wall: none,
}
await serve(process.env, 'all', async () => ({ files: new Map(), entries, theme: '', worker: '' }))
