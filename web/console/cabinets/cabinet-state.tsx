import { useState } from 'preact/hooks'
import type { StaffCabinet } from '../../api/staff-calls.ts'
import { useWhileSeen } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { pathOf } from '../paths.ts'
import { CabinetWarehouses } from './cabinet-warehouses.tsx'
import { CredentialState, modeHints, modes, SyncState, TokenType } from './states.tsx'

interface CabinetStateProps {
  readonly cabinet: StaffCabinet
  readonly reload: () => void
}

/** How soon a sync that somebody asked for is looked for. */
const watchMs = 2_000

/** What is known about a cabinet now, and what to do where it does not work. */
export function CabinetState({ cabinet, reload }: CabinetStateProps) {
  const [asked, setAsked] = useState<{ readonly message: string; readonly state: string }>()
  const state = `${cabinet.synced_at} ${cabinet.sync_error}`
  // The sync has ended, well or not.
  const said = asked?.state === state ? asked.message : ''
  useWhileSeen(said === '' ? undefined : watchMs, reload)
  return (
    <>
      {cabinet.needs_warehouses && <CabinetWarehouses cabinet={cabinet} onSaved={reload} />}
      <section class="panel narrow stack">
        <SyncFailure cabinet={cabinet} />
        <Lacks cabinet={cabinet} />
        <CabinetFacts cabinet={cabinet} />
        {cabinet.has_credentials && cabinet.active && (
          <div class="stack">
            <div>
              <ActionButton
                label="Синхронизировать сейчас"
                act={async () => {
                  const { message } = await staff('POST /cabinets/{id}/sync', {
                    path: { id: cabinet.id },
                  })
                  setAsked({ message, state })
                  reload()
                }}
              />
            </div>
            <p role="status">{said}</p>
          </div>
        )}
      </section>
    </>
  )
}

/** Why the last sync failed, and where to mend it. */
function SyncFailure({ cabinet }: { readonly cabinet: StaffCabinet }) {
  if (cabinet.credentials_state === 'refused') {
    return (
      <p class="notice bad">
        {cabinet.marketplace} не принимает ключи: попросите у продавца новые.{' '}
        <a href={pathOf('cabinet', cabinet.id, 'settings')}>Заменить ключи</a>
      </p>
    )
  }
  if (cabinet.sync_error === undefined) return null
  return <p class="notice bad">Последняя синхронизация не удалась: {cabinet.sync_error}</p>
}

/** What the marketplace refuses while all else is read. */
function Lacks({ cabinet: { lacks } }: { readonly cabinet: StaffCabinet }) {
  return lacks.map(({ what, since, reason, withdrawn }) => (
    <p class="notice warn" key={what}>
      {what} не обновляются с <Moment at={since} />. {reason}. Остальное обновляется.
      {withdrawn && ' Похоже, маркетплейс убрал этот вызов: сервис нужно обновить.'}
    </p>
  ))
}

function CabinetFacts({ cabinet }: { readonly cabinet: StaffCabinet }) {
  const rights = cabinet.credentials_rights
  return (
    <dl class="facts">
      <dt>Синхронизация</dt>
      <dd>
        <SyncState cabinet={cabinet} />
      </dd>
      <dt>Ключи</dt>
      <dd>
        <CredentialState cabinet={cabinet} />
        {cabinet.credentials_sandbox && ' песочницы'}
        <TokenType cabinet={cabinet} />
        {cabinet.credentials_note !== undefined && <p class="small">{cabinet.credentials_note}</p>}
      </dd>
      {cabinet.credentials_expire_at !== null && (
        <>
          <dt>Действуют до</dt>
          <dd>
            <Moment at={cabinet.credentials_expire_at} />
          </dd>
        </>
      )}
      {rights !== null && (
        <>
          <dt>Разрешено ключу</dt>
          <dd>{rights.join(', ') || 'ничего'}</dd>
        </>
      )}
      <dt>Отгрузки</dt>
      <dd>
        {modes[cabinet.shipments]}
        <p class="small quiet">{modeHints[cabinet.shipments]}</p>
      </dd>
      <dt>Заведён</dt>
      <dd>
        <Moment at={cabinet.created_at} />
      </dd>
    </dl>
  )
}
