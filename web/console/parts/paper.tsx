import { OpenLink } from './open-link.tsx'

type PaperKind = 'receipt' | 'return' | 'count' | 'shipment' | 'picking-task'

interface PaperProps {
  readonly kind: PaperKind
  readonly id: string
  readonly label: string
}

/** Opens a paper in a tab of its own, ready for printing. */
export function Paper({ kind, id, label }: PaperProps) {
  return <OpenLink href={paperOf(kind, id)} label={label} />
}

export function paperOf(kind: PaperKind, id: string): string {
  return `/staff/v1/documents/${kind}/${encodeURIComponent(id)}?format=pdf`
}
