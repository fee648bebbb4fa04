import { cleanJpegPicture } from '../../platform/kernel/pictures/jpeg.ts'
import type { PictureBounds } from '../../platform/kernel/pictures/picture-size.ts'
import { cleanPng } from '../../platform/kernel/pictures/png.ts'
import { cleanWebp } from '../../platform/kernel/pictures/webp.ts'

/**
 * What the service takes for a picture of goods: a whole file of a known kind. Of the file it keeps the picture alone,
 * because whoever photographed the goods may have been at home: where and with what is cut out. Nothing is decoded.
 */

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]

export const pictureBytesMax = 2 * 1024 * 1024
/** Pages show dozens, and a viewer needs four bytes a point. */
export const pictureBounds: PictureBounds = { sideMax: 8192, pointsMax: 4096 * 4096 }

export interface PictureBytes {
  readonly type: PictureType
  readonly bytes: Buffer
}

const readers: Readonly<
  Record<PictureType, (bytes: Buffer, bounds: PictureBounds) => Buffer | undefined>
> = { 'image/jpeg': cleanJpegPicture, 'image/png': cleanPng, 'image/webp': cleanWebp }

/** Undefined for what is no picture, or one that is too large. */
export function readPicture(bytes: Buffer): PictureBytes | undefined {
  if (bytes.length > pictureBytesMax) return undefined
  for (const type of pictureTypes) {
    const picture = readers[type](bytes, pictureBounds)
    if (picture !== undefined && picture.length <= pictureBytesMax) return { type, bytes: picture }
  }
  return undefined
}
