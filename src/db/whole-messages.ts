/** A message of the server is its kind (one byte), its length without the kind (int32), and the rest. */
export const headerBytes = 5

/** The length counts itself: a smaller one comes from what is no server, and reading must go on all the same. */
const lengthMin = 4

/** Where the message ends that begins at `at`. Its header must be there. */
export function endOfMessage(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32BE(at + 1)
  return at + 1 + (length < lengthMin ? lengthMin : length)
}

/** Longer messages get more room as they come: what is no server of ours may announce gigabytes and send a line. */
const roomAtOnceMax = 1024 * 1024

/**
 * Takes a stream in pieces and hands on whole messages, one or more at a time. It keeps no piece: what has begun and is
 * not whole is copied, into room for all of it where that is at most a megabyte.
 */
export function wholeMessages(take: (messages: Buffer) => void): (piece: Buffer) => void {
  let begun: Buffer = Buffer.allocUnsafe(headerBytes)
  let filled = 0
  return (piece) => {
    let at = 0
    while (at < piece.length) {
      if (filled === 0) {
        const end = endOfWhole(piece, at)
        if (end > at) take(piece.subarray(at, end))
        at = end
      }
      const wanted = filled < headerBytes ? headerBytes : endOfMessage(begun, 0)
      if (begun.length < wanted && filled === begun.length) {
        begun = withRoom(begun, Math.min(wanted, Math.max(roomAtOnceMax, 2 * filled)))
      }
      const copied = piece.copy(begun, filled, at, at + wanted - filled)
      filled += copied
      at += copied
      if (filled < headerBytes || filled < endOfMessage(begun, 0)) continue
      const whole = begun
      begun = Buffer.allocUnsafe(headerBytes)
      filled = 0
      take(whole)
    }
  }
}

/** Where the last message ends that is whole; `at` where none is. */
function endOfWhole(piece: Buffer, at: number): number {
  let end = at
  while (end + headerBytes <= piece.length) {
    const next = endOfMessage(piece, end)
    if (next > piece.length) break
    end = next
  }
  return end
}

function withRoom(bytes: Buffer, room: number): Buffer {
  const larger = Buffer.allocUnsafe(room)
  bytes.copy(larger)
  return larger
}
