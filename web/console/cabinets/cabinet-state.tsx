import { useState } from 'preact/hooks'
import type { StaffCabinet } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Moment } from '../parts/moment.tsx'
import { pathOf } from '../paths.ts'
import { CredentialState, modeHints, modes, SyncState } from './states.tsx'

interface CabinetStateProps {
  readonly cabinet: StaffCabinet
  readonly reload: () => void
}

/** What is known about a cabinet now, and what to do where it does not work. */
export function CabinetState({ cabinet, reload }: CabinetStateProps) {
  const [said, setSaid] = useState('')
  return (
    <section class="panel narrow stack">
      {cabinet.sync_error !== undefined && (
        <p class="notice bad">Последняя синхронизация не удалась: {cabinet.sync_error}</p>
      )}
      {cabinet.needs_warehouses && (
        <p class="notice warn">
          Склады не выбраны: заказы видны, но добавить их в отгрузку нельзя.{' '}
          <a href={pathOf('cabinet', cabinet.id, 'warehouses')}>Выбрать склады</a>
        </p>
      )}
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
                setSaid(message)
                reload()
              }}
            />
          </div>
          <p role="status">{said}</p>
        </div>
      )}
    </section>
  )
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
