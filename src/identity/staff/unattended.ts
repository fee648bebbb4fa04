import type { Database, Queryable } from '../../platform/db/connection.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { hashOf, isRevokedDevice, type UnattendedPurpose } from './devices.ts'

/**
 * Devices that work without a person: a station that prints, a screen on a wall. Each is enrolled as a handheld is, stands
 * in one warehouse, and reaches only the routes that name its purpose.
 */
export interface UnattendedDevice {
  readonly id: string
  readonly name: string
  readonly purpose: UnattendedPurpose
  readonly warehouse_code: string
}

interface Row extends UnattendedDevice {
  readonly last_used_at: Timestamp | null
}

const usedEveryMs = 60_000

/** The device of a cookie; undefined for an unknown one. Throws device_revoked. */
export async function findUnattended(
  db: Queryable,
  secret: string,
): Promise<UnattendedDevice | undefined> {
  return (await read(db, secret))?.device
}

/** The same for a request, which uses the device: written at most once a minute. */
export async function useUnattended(
  db: Database,
  now: Instant,
  secret: string,
): Promise<UnattendedDevice | undefined> {
  const found = await read(db, secret)
  if (found === undefined) return undefined
  const { device, usedAt } = found
  if (usedAt === null || usedAt < toTimestamp(now - usedEveryMs)) {
    await db`
      update staff_devices set last_used_at = ${toTimestamp(now)} where id in (
        select id from staff_devices where id = ${device.id} for no key update skip locked)`
  }
  return device
}

async function read(db: Queryable, secret: string) {
  const [row] = await db<Row[]>`
    select id, name, purpose, warehouse_code, last_used_at from staff_devices
    where secret_hash = ${hashOf(secret)} and revoked_at is null and purpose <> 'HANDHELD'`
  if (row === undefined) {
    if (await isRevokedDevice(db, secret)) throw new ServiceError('device_revoked')
    return undefined
  }
  const { last_used_at: usedAt, ...device } = row
  return { device, usedAt }
}
