import type { StaffCabinet } from '../../api/staff-calls.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { pathOf } from '../paths.ts'

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

type CredentialsState = StaffCabinet['credentials_state']

export const credentialWords: Readonly<Record<CredentialsState, string>> = {
  none: 'не заданы',
  unchecked: 'проверяются',
  good: 'приняты',
  expiring: 'скоро истекут',
  refused: 'не приняты',
}

/** Kinds of WB's tokens, as its cabinet calls them. */
const tokenTypeWords: Readonly<Record<NonNullable<StaffCabinet['credentials_type']>, string>> = {
  base: 'Базовый',
  test: 'Тестовый',
  personal: 'Персональный',
  service: 'Сервисный',
}

const credentialTones: Readonly<Record<CredentialsState, Tone>> = {
  none: 'quiet',
  unchecked: 'quiet',
  good: 'good',
  expiring: 'warn',
  refused: 'bad',
}

interface StateProps {
  readonly cabinet: StaffCabinet
}

export function CredentialState({ cabinet }: StateProps) {
  const { credentials_state: state } = cabinet
  return <Badge tone={credentialTones[state]} word={credentialWords[state]} />
}

/** Nothing where the token does not say its kind. */
export function TokenType({ cabinet: { credentials_type: type } }: StateProps) {
  return type === null ? null : <span class="quiet"> токен {tokenTypeWords[type]}</span>
}

export function SyncState({ cabinet }: StateProps) {
  if (!cabinet.active) return <Badge tone="quiet" word="отключена" />
  if (!cabinet.has_credentials) return <span class="quiet">без ключей не нужна</span>
  if (cabinet.sync_error !== undefined) return <Badge tone="bad" word="не удалась" />
  return <Moment at={cabinet.synced_at} none="ещё не было" />
}

/** How lists show cabinets. */
export const cabinetColumns: readonly Column<StaffCabinet>[] = [
  { title: 'Кабинет', cell: ({ id, name }) => <a href={pathOf('cabinet', id)}>{name}</a> },
  { title: 'Маркетплейс', cell: ({ marketplace }) => marketplace },
  { title: 'Ключи', cell: (cabinet) => <CredentialState cabinet={cabinet} /> },
  { title: 'Синхронизация', cell: (cabinet) => <SyncState cabinet={cabinet} /> },
  { title: 'Отгрузки', cell: ({ shipments }) => modes[shipments] },
]
