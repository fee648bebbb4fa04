import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyProject } from '../support/installed-client.ts'
import { sharedService } from '../support/service.ts'
import { missing, runTool } from './installed.ts'

/** The client under the TypeScript of version 5: our own no longer knows its older ways to resolve modules. */

const { baseUrl } = await sharedService()

const program = `
import { Sklad, type Order } from '@sklad/client'
import { nodeWebhookHandler } from '@sklad/client/node'
const sklad = new Sklad({ key: 'k', baseUrl: 'http://localhost' })
export const orders: Promise<Order[]> = sklad.orders.list({ status: 'NEW' }).then(({ items }) => items)
// @ts-expect-error no such status
export const sold = sklad.orders.list({ status: 'SOLD' })
export const secret: Parameters<typeof nodeWebhookHandler>[0]['secret'] = 's'
`

test('TypeScript 5 finds the types with each way to resolve modules', {
  skip: missing,
}, async () => {
  const project = await emptyProject(`${baseUrl}/sdk/client.tgz`)
  for (const name of ['program.ts', 'program.cts']) writeFileSync(join(project, name), program)
  for (const [module, resolution, file] of [
    ['commonjs', 'node10', 'program.ts'],
    ['esnext', 'node10', 'program.ts'],
    ['node16', 'node16', 'program.cts'],
    ['nodenext', 'nodenext', 'program.ts'],
    ['esnext', 'bundler', 'program.ts'],
  ] as const) {
    const resolving = ['--module', module, '--moduleResolution', resolution]
    // Its own libraries need no check.
    const target = ['--target', 'es2022', '--lib', 'es2022,dom', '--skipDefaultLibCheck']
    await runTool(project, 'typescript/bin/tsc', [
      '--strict',
      '--noEmit',
      ...target,
      ...resolving,
      file,
    ])
  }
})
