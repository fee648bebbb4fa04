import type { CallError } from '../api/caller.ts'
import type { DeviceHere } from '../api/staff-calls.ts'
import { useAnswer } from '../api/use-answer.ts'
import { staff } from './api.ts'

export interface KnownDevice {
  /** Null for a browser that is none, undefined until it is known. */
  readonly device: DeviceHere | null | undefined
  readonly error: CallError | undefined
  readonly reload: () => void
}

/** Which device without a person this browser is enrolled as. A revoked one is none, and its refusal says so. */
export function useDeviceHere(purpose: DeviceHere['purpose']): KnownDevice {
  const { data, error, reload } = useAnswer('device', async (signal) => {
    const device = (await staff('GET /device', { signal })) ?? null
    return device?.purpose === purpose ? device : null
  })
  return { device: error?.code === 'device_revoked' ? null : data, error, reload }
}
