import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import { eventually } from './faults.ts'

/** A collector of OpenTelemetry on this machine, which reads OTLP in JSON. */

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status?: { readonly code: number }
  readonly of: Readonly<Record<string, string>>
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'of'> & {
        readonly attributes: readonly Attribute[]
      })[]
    }[]
  }[]
}

export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  readonly resources: Readonly<Record<string, string>>[]
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** What it answers; undefined: nothing, and the connection stays open. */
  status: number | undefined
  /** The first span that matches; waits for it. */
  find(matches: (span: CollectedSpan) => boolean): Promise<CollectedSpan>
}

export async function openCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse((await buffer(request)).toString()) as Exported
    collector.requests.push({ path: request.url ?? '', headers: request.headers })
    if (collector.status === undefined) return
    for (const { resource, scopeSpans } of resourceSpans) {
      collector.resources.push(valuesOf(resource.attributes))
      for (const { attributes, ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
        collector.spans.push({ ...span, of: valuesOf(attributes) })
      }
    }
    response.writeHead(collector.status, { 'Content-Type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    resources: [],
    requests: [],
    status: 200,
    async find(matches) {
      await eventually('the span comes', async () => collector.spans.some(matches))
      return collector.spans.find(matches) as CollectedSpan
    },
  }
  return collector
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']),
  )
}
