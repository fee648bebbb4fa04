/** A random id. `crypto.randomUUID` is missing where the service is reached by plain HTTP. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The id of a new photo: a UUID that begins with the moment. */
export function photoId(): string {
  const digits = Date.now().toString(16).padStart(12, '0') + newId().slice(12)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
