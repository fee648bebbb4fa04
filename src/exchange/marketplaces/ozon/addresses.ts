/** OZON serves files from these hosts and their subdomains. */
const fileHosts = ['ozon.ru', 'ozone.ru', 'ozonusercontent.com']

/** Whether an address belongs to OZON: the origin of the API, or a file host over HTTPS. */
export function isOzonAddress(address: URL, baseUrl: string): boolean {
  if (address.origin === new URL(baseUrl).origin) return true
  const { protocol, port, hostname } = address
  const isFileHost = fileHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  return protocol === 'https:' && port === '' && isFileHost
}
