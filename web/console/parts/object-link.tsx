import type { ObjectName } from '../../api/staff-calls.ts'
import { listOf, pathOf, paths } from '../paths.ts'

const words: Readonly<Record<ObjectName['kind'], string>> = {
  receipt: 'Приёмка',
  order: 'Заказ',
  shipment: 'Отгрузка',
  picking_task: 'Сборка',
  return_batch: 'Возвраты',
  count: 'Пересчёт',
  box: 'Короб',
  pallet: 'Паллета',
  location: 'Место',
  client: 'Клиент',
  cabinet: 'Кабинет',
  key: 'Ключ API',
  webhook: 'Вебхук',
  user: 'Сотрудник',
  device: 'Терминал',
  print_station: 'Станция печати',
}

interface ObjectLinkProps {
  readonly of: ObjectName
  /** Whose it is: keys stand on the page of their client. */
  readonly clientId?: string | null | undefined
}

/** An object of a journal by its kind and number; it opens where it has a page. */
export function ObjectLink({ of, clientId }: ObjectLinkProps) {
  const text = `${words[of.kind]} ${of.title}`.trim()
  const href = hrefOf(of, clientId)
  return href === undefined ? (
    <span class="name">{text}</span>
  ) : (
    <a class="name" href={href}>
      {text}
    </a>
  )
}

/** Where an object opens; undefined where it has no page. */
export function hrefOf({ kind, id }: ObjectName, clientId: string | null | undefined) {
  switch (kind) {
    case 'picking_task':
      return pathOf('pickingTask', id)
    case 'return_batch':
      return pathOf('return', id)
    case 'user':
      return listOf(paths.users, { user: id })
    case 'print_station':
      return listOf(paths.printing, { station: id })
    case 'key':
      return clientId ? pathOf('client', clientId, 'keys') : undefined
    case 'device':
      return paths.devices
    default:
      return pathOf(kind, id)
  }
}
