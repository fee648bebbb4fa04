/** Segments or chunks of a file. Real ones have hundreds; two megabytes of empty ones would fill the heap. */
export const picturePartsMax = 10_000

/** How large a picture may become when somebody looks at it: a file of some bytes can ask a viewer for gigabytes. */
export interface PictureBounds {
  /** Points of a side. */
  readonly sideMax: number
  /** Points of the whole. */
  readonly pointsMax: number
}

export function areSidesWithin(
  { sideMax, pointsMax }: PictureBounds,
  [width, height]: Sides,
): boolean {
  const areSides = [width, height].every((side) => side > 0 && side <= sideMax)
  return areSides && width * height <= pointsMax
}

export type Sides = readonly [width: number, height: number]
