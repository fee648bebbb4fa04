/** Where OZON keeps files: these hosts, and any below them. */
const hosts = ['ozon.ru', 'ozone.ru', 'ozonusercontent.com']

/** Whether an address is OZON's, which is where its answers come from too. */
export function isOzons(address: URL, baseUrl: string): boolean {
  if (address.origin === new URL(baseUrl).origin) return true
  const { protocol, port, hostname } = address
  const isKnown = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  return protocol === 'https:' && port === '' && isKnown
}
