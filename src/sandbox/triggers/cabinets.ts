import { recordSync, recordSyncFailure } from '../../warehouse/clients/cabinets.ts'
import type { Scene, Touched } from './scene.ts'

const refusal =
  'WB не принял ключ доступа: выпустите новый в кабинете продавца и передайте менеджеру склада'

/** The WB cabinet stops to answer. The robot leaves it alone until its sync succeeds again. */
export async function failSync({ work, clientId, cabinetId }: Scene): Promise<Touched[]> {
  await recordSyncFailure(work, clientId, cabinetId, refusal)
  return [{ object: 'cabinet', id: cabinetId }]
}

/** Every cabinet that fails answers again; the WB cabinet is synced where none fails. */
export async function restoreSync({ work, clientId, cabinetId }: Scene): Promise<Touched[]> {
  const failing = await work.tx<{ id: string }[]>`
    select id from cabinets where client_id = ${clientId} and sync_error is not null order by id`
  const restored = failing.length > 0 ? failing : [{ id: cabinetId }]
  for (const { id } of restored) await recordSync(work, clientId, id)
  return restored.map(({ id }) => ({ object: 'cabinet', id }))
}
