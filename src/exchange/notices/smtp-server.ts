/** The server that letters go to, as the setting SMTP_URL names it. Pure. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte on; otherwise it begins when the server offers it. */
  readonly secure: boolean
  readonly user: string | undefined
  readonly password: string
}

const standardPorts = { 'smtp:': 587, 'smtps:': 465 } as const

/** Undefined for what is no such address. */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = /\s/.test(text) ? null : URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (host === '' || url.pathname.length > 1 || url.search !== '' || url.hash !== '') {
    return undefined
  }
  try {
    return {
      host,
      port: Number(url.port) || standardPorts[url.protocol],
      secure: url.protocol === 'smtps:',
      user: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password),
    }
  } catch {
    return undefined
  }
}

const addressForm = /^[^\s@<>"]+@[^\s@<>"]+$/

export function isMailAddress(text: string): boolean {
  return addressForm.test(text)
}
