import type { Tool as LibraryTool } from '@modelcontextprotocol/server'
import type { InjectOptions } from 'fastify'
import { type DescribedPaths, operationsIn } from '../openapi/described.ts'

/** The tools of the MCP server, made from the OpenAPI document: each is one call of the API, with its words and its schema. */

/** What a model may do: it reads, and it announces a receipt. */
const offered = [
  'getMe',
  'listStock',
  'getStockItem',
  'listOrders',
  'getOrder',
  'listReceipts',
  'getReceipt',
  'createReceipt',
  'listShipments',
  'getShipment',
  'listReturns',
  'getReturn',
  'getMetrics',
  'listEvents',
]

/** Objects of one answer: what a model reads has to fit its window. */
export const itemsMax = 50
const itemsDefault = 20

type InputSchema = LibraryTool['inputSchema']
type Schema = NonNullable<InputSchema['properties']>[string]

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly schema: object
  }[]
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>
  }
}

export interface DescribedApi {
  readonly paths: DescribedPaths<Operation>
  readonly components: { readonly schemas: Readonly<Record<string, InputSchema>> }
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: InputSchema
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: false }
  /** The request of the API that arguments make. */
  readonly requestOf: (given: Readonly<Record<string, unknown>>) => InjectOptions
}

export function toolsOf(api: DescribedApi): Tool[] {
  return operationsIn(api.paths)
    .filter(({ operation }) => offered.includes(operation.operationId))
    .map(({ path, method, operation }) => toolOf(api, path, method, operation))
}

function toolOf(api: DescribedApi, path: string, method: string, operation: Operation): Tool {
  const { operationId, summary, description = '', parameters = [] } = operation
  const isRead = method === 'get'
  const asked = parameters.filter((each) => each.in !== 'header' && each.name !== 'wait')
  return {
    name: operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: summary,
    description,
    inputSchema: isRead ? inputOf(asked) : bodyOf(api, operation),
    annotations: { readOnlyHint: isRead, destructiveHint: false },
    requestOf(given) {
      if (!isRead) {
        const headers = { 'content-type': 'application/json' }
        return { method: 'POST', url: path, headers, payload: JSON.stringify(given) }
      }
      const url = path.replace(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent(String(given[name] ?? '')),
      )
      const isList = asked.some(({ name }) => name === 'limit')
      const values = isList ? { ...given, limit: boundedLimit(given.limit) } : given
      // A name that the call does not know is sent too: the answer says so.
      const query = Object.entries(values)
        .filter(([name, value]) => name !== 'wait' && !path.includes(`{${name}}`) && value != null)
        .map(([name, value]) => [name, String(value)])
      return { method: 'GET', url: `${url}?${new URLSearchParams(query)}` }
    },
  }
}

/** The route refuses what is no integer. */
function boundedLimit(given: unknown): unknown {
  if (given === undefined) return itemsDefault
  return typeof given === 'number' ? Math.min(given, itemsMax) : given
}

const limitSchema = { type: 'integer', minimum: 1, maximum: itemsMax, default: itemsDefault }

function inputOf(parameters: NonNullable<Operation['parameters']>): InputSchema {
  const properties = parameters.map(({ name, description, schema }): [string, Schema] =>
    name === 'limit' ? [name, limitSchema] : [name, { ...schema, description } as Schema],
  )
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
  }
}

function bodyOf({ components }: DescribedApi, { requestBody }: Operation): InputSchema {
  const { $ref = '' } = requestBody?.content?.['application/json']?.schema ?? {}
  return components.schemas[$ref.split('/').at(-1) ?? ''] ?? { type: 'object' }
}
