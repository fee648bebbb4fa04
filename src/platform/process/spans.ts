import type { TraceParent } from '../kernel/trace.ts'

/** Spans for a collector of OpenTelemetry. Without an endpoint there are none, and nothing is loaded for them. */
export interface Spans {
  /** Takes a span that has just ended; neither waits nor throws. */
  record(span: Span): void
  /** Sends what is left, for a short time. */
  close(): Promise<void>
  readonly exported: number
  /** Lost because the collector was away or slow. */
  readonly dropped: number
}

export interface Span {
  /** Few different ones: methods, routes and types, never ids. */
  readonly name: string
  readonly kind: 'server' | 'client'
  readonly durationMs: number
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly hasFailed: boolean
  /** Without one the span begins a trace. */
  readonly parent?: TraceParent | undefined
}

export interface SpanSettings {
  /** The address of `/v1/traces` of the collector. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
}
