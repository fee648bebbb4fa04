import { hostOf, isLocalhost, isLoopback } from '../webhooks/addresses.ts'

/** Which addresses of pictures are fetched, and which size of them. Pure. */

/**
 * Hosts by name, with all below them, over https alone. A host of this machine (`127.0.0.1:8090`) is reached over http, too, at
 * the port that stands there: for tests.
 */
export type PictureHosts = readonly string[]

export interface PictureAddress {
  readonly url: string
  /** The host is this machine, which the setting names. */
  readonly isLocal: boolean
}

/** Undefined for an address that is not fetched. */
export function pictureAddress(text: string, hosts: PictureHosts): PictureAddress | undefined {
  const url = URL.parse(text)
  if (url === null) return undefined
  const host = hostOf(url)
  const isLocal = isLoopback(host) || isLocalhost(host)
  if (isLocal) return hosts.includes(url.host) ? { url: url.href, isLocal } : undefined
  const isNamed = hosts.some((named) => host === named || host.endsWith(`.${named}`))
  if (!isNamed || url.protocol !== 'https:' || url.port !== '') return undefined
  return { url: url.href, isLocal }
}

/**
 * OZON names pictures in full size. Its hosts have each in smaller sizes, too, in a folder beside it; nothing promises that, so every
 * second attempt asks for the address as it was named.
 */
export function sizedAddress(text: string, attempt: number): string {
  if (attempt % 2 === 0) return text
  return text.replace(
    /^(https:\/\/[\w.-]+\.ozone\.ru\/s3\/multimedia-[\w-]+\/)(\d+\.\w+)$/,
    '$1wc250/$2',
  )
}
