import type { StockLot } from '../api/staff-calls.ts'
import { number } from './format.ts'

/** Where the units of a lot lie, in a line. */
export function placesText({ places, quantity, picked }: StockLot): string {
  const named = places.flatMap(({ location_code: code, sscc, quantity }) => {
    const place = [code, sscc && `короб …${sscc.slice(-5)}`].filter(Boolean).join(', ')
    return place === '' ? [] : [`${place}: ${number(quantity)}`]
  })
  const placed = places
    .filter(({ location_code: code, sscc }) => code !== null || sscc !== null)
    .reduce((sum, { quantity }) => sum + quantity, 0)
  const loose = quantity - picked - placed
  return [
    ...named,
    ...(loose > 0 ? [`без места: ${number(loose)}`] : []),
    ...(picked > 0 ? [`в собранных заказах: ${number(picked)}`] : []),
  ].join('; ')
}
