import type { FastifyBaseLogger } from 'fastify'
import type { SpanSettings, Spans } from './spans.ts'

/** Without an endpoint nothing is loaded. */
export async function openSpans(
  settings: SpanSettings | undefined,
  resource: Readonly<Record<string, string>>,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<Spans | undefined> {
  if (settings === undefined) return undefined
  const { openExporter } = await import('./span-exporter.ts')
  return openExporter(settings, resource, log)
}
