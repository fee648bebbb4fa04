import { OpenLink } from './open-link.tsx'

interface PaperProps {
  readonly kind: 'receipt' | 'return' | 'count' | 'shipment' | 'picking-task'
  readonly id: string
  readonly label: string
}

/** Opens a paper in a tab of its own, ready for printing. */
export function Paper({ kind, id, label }: PaperProps) {
  const href = `/staff/v1/documents/${kind}/${encodeURIComponent(id)}?format=pdf`
  return <OpenLink href={href} label={label} />
}
