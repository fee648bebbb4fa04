import { newId } from './new-id.ts'

/** The id of a new photo: a UUID that begins with the moment. */
export function photoId(): string {
  const digits = Date.now().toString(16).padStart(12, '0') + newId().slice(12)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
