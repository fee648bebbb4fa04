const sideMax = 1600
const bytesMax = 2 * 1024 * 1024
/** The second only where the first is too large. */
const qualities = [0.8, 0.5] as const

/** A JPEG of the picture alone: a canvas keeps nothing of what the camera wrote beside it. Undefined for what is no picture. */
export async function shrink(file: Blob): Promise<ArrayBuffer | undefined> {
  const image = await createImageBitmap(file).catch(() => undefined)
  if (image === undefined) return undefined
  const scale = Math.min(1, sideMax / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  for (const quality of qualities) {
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', quality)
    })
    if (blob !== null && blob.size <= bytesMax) return blob.arrayBuffer()
  }
  return undefined
}
