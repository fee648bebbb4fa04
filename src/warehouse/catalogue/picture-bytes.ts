/** What the service takes for a picture. It looks at the first bytes alone and decodes nothing. */

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]

export const pictureBytesMax = 2 * 1024 * 1024

export interface PictureBytes {
  readonly type: PictureType
  readonly bytes: Buffer
}

const signatures: readonly (readonly [PictureType, (start: string) => boolean])[] = [
  ['image/jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['image/png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/webp', (start) => start.startsWith('RIFF') && start.endsWith('WEBP')],
]

/** Undefined for what is no picture, or one that is too large. */
export function readPicture(bytes: Buffer): PictureBytes | undefined {
  if (bytes.length > pictureBytesMax) return undefined
  const start = bytes.subarray(0, 12).toString('latin1')
  const type = signatures.find(([, isStartOf]) => isStartOf(start))?.[0]
  return type && { type, bytes }
}
