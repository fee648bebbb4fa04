import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sharedService } from '../support/service.ts'
import { missing, toolFile } from './installed.ts'

/** The MCP server as the published client of the protocol meets it. */

interface Client {
  connect(transport: object): Promise<void>
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(call: {
    name: string
    arguments: object
  }): Promise<{ readonly content: readonly { readonly text: string }[] }>
  close(): Promise<void>
}
interface Library {
  readonly Client: new (info: { name: string; version: string }) => Client
  readonly StreamableHTTPClientTransport: new (
    url: URL,
    options: { requestInit: RequestInit },
  ) => object
}

const { baseUrl } = await sharedService()

const load = async (file: string): Promise<Partial<Library>> =>
  import(pathToFileURL(toolFile(`@modelcontextprotocol/sdk/dist/esm/client/${file}.js`)).href)

test('the client of the protocol lists the tools, reads stock and announces a receipt', {
  skip: missing,
}, async () => {
  const library = { ...(await load('index')), ...(await load('streamableHttp')) } as Library
  const made = await fetch(`${baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  const { key } = (await made.json()) as { key: string }
  const client = new library.Client({ name: 'test', version: '1' })
  const headers = { Authorization: `Bearer ${key}` }
  await client.connect(
    new library.StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
      requestInit: { headers },
    }),
  )
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'create_receipt'))
  const call = async (name: string, given: object = {}) => {
    const { content } = await client.callTool({ name, arguments: given })
    return JSON.parse(content[0]?.text ?? '')
  }
  const { items } = await call('list_stock', { limit: 2 })
  assert.equal(items.length, 2)
  const { cabinets } = await call('get_me')
  const receipt = await call('create_receipt', {
    cabinet_id: cabinets[0].id,
    external_ref: 'PO-1',
    items: [{ barcode: items[0].barcode, qty: 3, honest_mark: false }],
  })
  assert.deepEqual([receipt.external_ref, receipt.expected_qty], ['PO-1', 3])
  await client.close()
})
