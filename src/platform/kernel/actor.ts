/** Who makes a change. Rows and journals store it as text: `actorText` and `parseActor`. */
export type Actor =
  /** A seller's program, by its API key. */
  | { readonly kind: 'key'; readonly keyId: string }
  | { readonly kind: 'staff'; readonly userId: string }
  /** A user of a seller, in the account. */
  | { readonly kind: 'seller'; readonly userId: string }
  /** A device that works without a person. */
  | { readonly kind: 'device'; readonly deviceId: string }
  /** The sync of a cabinet with its marketplace. */
  | { readonly kind: 'sync'; readonly cabinetId: string }
  /** Plays the warehouse in sandboxes. */
  | { readonly kind: 'robot' }
  | { readonly kind: 'command-line' }
  /** The service itself: reconciliation and the first start. */
  | { readonly kind: 'service' }

/** The text that the database stores: `staff:<id>`, `command-line` and so on. */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'key':
      return `key:${actor.keyId}`
    case 'staff':
      return `staff:${actor.userId}`
    case 'seller':
      return `seller:${actor.userId}`
    case 'device':
      return `device:${actor.deviceId}`
    case 'sync':
      return `marketplace:${actor.cabinetId}`
    default:
      return actor.kind
  }
}

/** Reads what `actorText` wrote. Throws an Error for any other text. */
export function parseActor(text: string): Actor {
  if (text === 'robot' || text === 'command-line' || text === 'service') return { kind: text }
  const [, prefix, id = ''] = /^(key|staff|seller|device|marketplace):(.+)$/.exec(text) ?? []
  if (prefix === 'key') return { kind: 'key', keyId: id }
  if (prefix === 'staff' || prefix === 'seller') return { kind: prefix, userId: id }
  if (prefix === 'device') return { kind: 'device', deviceId: id }
  if (prefix === 'marketplace') return { kind: 'sync', cabinetId: id }
  throw new Error(`not an actor: ${text}`)
}
