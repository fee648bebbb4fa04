import { type Client, isKnown, loose, ownBarcode, putInto } from './model.ts'
import { scanned } from './naming.ts'
import { type Actor, act, mostly, post, some } from './world.ts'

/** Puts loose units at a location, takes them off, or moves them to another location or into a box. */
export async function putAway(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const place = random.pick([...client.places.values()])
  const verb = random.pick(['put', 'put', 'take', 'move'] as const)
  const held = verb === 'put' ? undefined : some(random, place.contents.keys())
  const barcode =
    held ??
    mostly(random, client.goods.values(), (goods) => loose(client, goods.barcode) > 0)?.barcode ??
    'nothing'
  const box =
    verb === 'move' && random.next() < 0.4 ? some(random, client.boxes.values()) : undefined
  const other =
    verb === 'move' && box === undefined ? random.pick([...client.places.values()]) : undefined
  const scanId = (random.next() < 0.1 ? some(random, place.scans) : undefined) ?? newName('located')
  const qty = random.int(1, 4)
  const body = {
    ...{ scan_id: scanId, client_id: client.id, barcode: scanned(actor, client, barcode), qty },
    ...(box === undefined ? {} : { to_box_id: box.id }),
    ...(other === undefined ? {} : { to_location_id: other.id }),
  }
  const wasRepeat = place.scans.has(scanId)
  await act(world, {
    what: `${verb} at ${place.id} ${JSON.stringify(body)}`,
    call: () => world.worker(`/locations/${place.id}/${verb}`, post(body)),
    expect: () => {
      if (wasRepeat) return 200
      if (other?.id === place.id) return 400
      if (!isKnown(client, barcode)) return 400
      const there = verb === 'put' ? loose(client, barcode) : (place.contents.get(barcode) ?? 0)
      return there < qty ? 409 : 200
    },
    apply: () => {
      if (wasRepeat) return
      place.scans.add(scanId)
      const own = ownBarcode(client, barcode)
      putInto(place, own, verb === 'put' ? qty : -qty)
      const to = box ?? other
      if (to !== undefined) putInto(to, own, qty)
    },
  })
}
