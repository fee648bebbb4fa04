import Type, { type Static } from 'typebox'
import type { Placed } from '../../platform/db/lists/list-order.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { type Marketplace, marketplaces } from '../clients/marketplace.ts'
import { type ReturnKind, type ReturnState, returnKinds, returnStates } from './state.ts'

export const ExpectedReturn = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор в сервисе.' }),
    client_id: Type.String({ description: 'Чей товар.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    cabinet_id: Type.String({ description: 'Кабинет, из которого он уехал.' }),
    marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
    external_id: Type.String({
      description: 'Номер возврата у маркетплейса; на WB — номер заказа.',
    }),
    kind: oneOfValues(
      returnKinds,
      'Почему возвращается: CANCELLATION — отменён в пути, REFUSAL — не взяли при вручении, ' +
        'BUYER_RETURN — вернул покупатель.',
    ),
    state: oneOfValues(
      returnStates,
      'ON_THE_WAY — едет, READY — можно забрать, RECEIVED — отдан, NOT_COMING — не приедет, ' +
        'OTHER — другое состояние, см. remote_state.',
    ),
    remote_state: textOrNull('Состояние, как его называет маркетплейс.'),
    reason: textOrNull('Причина от покупателя или маркетплейса.'),
    order_id: textOrNull('Заказ; null, если сервис его не знает.'),
    order_external_id: textOrNull('Номер заказа в кабинете.'),
    barcode: textOrNull('Штрихкод товара; null, если неизвестен.'),
    article: textOrNull('Артикул продавца.'),
    name: textOrNull('Название товара.'),
    qty: Type.Integer({ minimum: 1, description: 'Сколько единиц.' }),
    since: momentOrNull('Когда его отправили обратно.'),
    changed_at: momentOrNull('Когда изменилось состояние.'),
    place_name: textOrNull('Где лежит или куда едет.'),
    place_address: textOrNull('Адрес этого места.'),
    label_code: textOrNull('Код этикетки возврата.'),
    giveout_code: textOrNull('Код, который показывают, чтобы забрать; есть у READY на OZON.'),
    disposal_at: momentOrNull('Когда маркетплейс утилизирует, если не забрать.'),
    observed: Type.Boolean({
      description: 'true: кабинет только наблюдают, и движений по его товару нет.',
    }),
    created_at: moment('Когда сервис узнал о возврате.'),
  },
  { $id: 'ExpectedReturn', description: 'Товар, который маркетплейс возвращает на склад.' },
)
export type ExpectedReturn = Static<typeof ExpectedReturn>

export interface ExpectedReturnRow {
  id: string
  client_id: string
  client_name: string
  cabinet_id: string
  marketplace: Marketplace
  external_id: string
  kind: ReturnKind
  state: ReturnState
  remote_state: string | null
  reason: string | null
  order_id: string | null
  order_external_id: string | null
  barcode: string | null
  article: string | null
  name: string | null
  qty: number
  since: Timestamp | null
  changed_at: Timestamp | null
  place_name: string | null
  place_address: string | null
  label_code: string | null
  giveout_code: string | null
  disposal_at: Timestamp | null
  observed: boolean
  created_at: Timestamp
}

export function expectedReturnView({
  total: _,
  position: __,
  ...row
}: ExpectedReturnRow & Placed): ExpectedReturn {
  return row
}
