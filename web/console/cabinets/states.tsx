import type { StaffCabinet } from '../../api/staff-calls.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Moment } from '../parts/moment.tsx'

/** Where new shipments of a cabinet are made. */
export const modes: Readonly<Record<StaffCabinet['shipments'], string>> = {
  ours: 'Собирают здесь',
  mirrored: 'Собирают в кабинете',
  observe: 'Только наблюдают',
}

export const modeHints: Readonly<Record<StaffCabinet['shipments'], string>> = {
  ours: 'Отгрузку создают и закрывают на складе, а маркетплейс узнаёт о ней от нас.',
  mirrored:
    'Отгрузку создают в кабинете маркетплейса, склад видит её и списывает товар, когда она уходит.',
  observe:
    'На маркетплейсе ничего не меняется, продавец ничего не видит: так проверяют кабинет до начала работы.',
}

const credentials: Readonly<Record<StaffCabinet['credentials_state'], readonly [Tone, string]>> = {
  none: ['quiet', 'не заданы'],
  unchecked: ['quiet', 'проверяются'],
  good: ['good', 'приняты'],
  expiring: ['warn', 'скоро истекут'],
  refused: ['bad', 'не приняты'],
}

interface StateProps {
  readonly cabinet: StaffCabinet
}

export function CredentialState({ cabinet }: StateProps) {
  const [tone, word] = credentials[cabinet.credentials_state]
  return <Badge tone={tone} word={word} />
}

export function SyncState({ cabinet }: StateProps) {
  if (!cabinet.active) return <Badge tone="quiet" word="отключена" />
  if (!cabinet.has_credentials) return <span class="quiet">без ключей не нужна</span>
  if (cabinet.sync_error !== undefined) return <Badge tone="bad" word="не удалась" />
  return <Moment at={cabinet.synced_at} none="ещё не было" />
}
