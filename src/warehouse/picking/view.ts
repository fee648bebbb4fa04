import Type, { type Static, type TOptional, type TUnsafe } from 'typebox'
import {
  type GivenMarkKind,
  givenMarkKinds,
  markTitles,
} from '../../platform/kernel/codes/unit-mark.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  oneOfValues,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import { otherBarcodes } from '../catalogue/other-barcodes.ts'
import { pictureOfGoods } from '../catalogue/pictures.ts'
import { type Marketplace, marketplaces } from '../clients/marketplace.ts'
import { lineMarks } from '../orders/staff-view.ts'
import { orderStatuses } from '../orders/state.ts'
import { missFields } from './miss-view.ts'
import { type PickingTaskStatus, pickingTaskStatuses } from './state.ts'

const TaskClaim = Type.Object(
  {
    user_id: Type.String({ description: 'Пользователь.' }),
    login: Type.String({ description: 'Его логин.' }),
    name: Type.String({ description: 'Его имя; без имени — логин.' }),
    claimed_at: moment('Когда взял.'),
    ends_at: moment('Когда задание освободится: через 30 минут после его последнего скана.'),
  },
  { additionalProperties: false },
)

const summary = {
  id: Type.String({ description: 'Идентификатор задания.' }),
  client_id: Type.String({ description: 'Чьи это заказы.' }),
  client_name: Type.String({ description: 'Название клиента.' }),
  marketplace: oneOfValues(marketplaces, 'Маркетплейс отгрузки.'),
  shipment_id: Type.String({ description: 'Отгрузка, которую собирают.' }),
  shipment_external_id: Type.String({ description: 'Её номер в кабинете маркетплейса.' }),
  status: oneOfValues(pickingTaskStatuses, 'OPEN: собирается; DONE: отгрузка закрыта.'),
  opened_at: moment('Когда открыто.'),
  done_at: momentOrNull('Когда отгрузка закрыта; до этого null.'),
  orders_count: count('Сколько заказов в отгрузке, не считая отменённых.'),
  packed_count: count('Сколько из них собрано.'),
  cancelled_count: count('Сколько заказов отгрузки отменено: их собирать не нужно.'),
  deadline: momentOrNull('Самый ранний срок её непереданных заказов; null, если сроков нет.'),
  claim: Type.Unsafe<Static<typeof TaskClaim> | null>({
    ...TaskClaim,
    type: ['object', 'null'],
    description: 'Кто взял задание: пока оно занято, собирает он один; null, если свободно.',
  }),
}

/** Marks as they are stored, by kind. */
export const StoredMarks = Type.Object(
  Object.fromEntries(
    givenMarkKinds.map((kind) => [
      kind,
      Type.Optional(textOrNull(`${markTitles[kind]}; null: у единицы его нет.`)),
    ]),
  ) as Record<GivenMarkKind, TOptional<TUnsafe<string | null>>>,
  { description: 'Что указано о единице, по видам; чего не указывали, того поля нет.' },
)

const PickedUnitOfLine = Type.Object({
  scan_id: Type.String({ description: 'Номер скана.' }),
  marking_code: Type.Boolean({ description: 'Есть ли у единицы код маркировки.' }),
  marks: StoredMarks,
})
const notes = Type.Array(Type.String(), {
  description: 'Что ещё сделать: чего маркетплейс требует, а сюда не вводят. Обычно пусто.',
})

const PickingLine = Type.Object({
  order_id: Type.String({ description: 'Заказ.' }),
  order_external_id: Type.String({ description: 'Его номер в кабинете.' }),
  order_status: oneOfValues(orderStatuses, 'Статус заказа; CANCELLED собирать не нужно.'),
  packed_at: momentOrNull('Когда заказ собран целиком; до этого null.'),
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: Type.String({ description: 'Название товара.' }),
  article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
  other_barcodes: otherBarcodes,
  card_gtins: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Другие GTIN товара по карточкам маркетплейсов, 14 знаков: коды маркировки с ними — этого товара; если их нет, поля нет.',
    }),
  ),
  picture: pictureOfGoods,
  set: Type.Optional(
    Type.Object(
      {
        barcode: Type.String({ description: 'Штрихкод набора.' }),
        name: Type.String({ description: 'Его название.' }),
        qty: Type.Integer({ minimum: 1, description: 'Сколько таких наборов в заказе собрать.' }),
      },
      { description: 'Набор, часть которого эта строка; у остальных строк поля нет.' },
    ),
  ),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц нужно.' }),
  picked: count('Сколько из них собрано.'),
  honest_mark: Type.Boolean({ description: 'Товар с маркировкой: лучше сканировать её код.' }),
  ...lineMarks,
  notes,
  deadline: momentOrNull(
    'До какого времени заказ нужно передать маркетплейсу; null, если срока нет.',
  ),
  comment: Type.Optional(
    Type.String({ description: 'Комментарий покупателя к заказу; если нет, поля нет.' }),
  ),
  cargo_type: Type.Optional(
    Type.String({ description: 'Габаритный тип, как у маркетплейса; если неизвестен, поля нет.' }),
  ),
  checked: count('Сколько из собранных отсканировано ещё раз при проверке упаковки.'),
  picks: Type.Array(PickedUnitOfLine, {
    description: 'Собранные единицы строки по порядку: сканы и что у них указано.',
  }),
  from: Type.Array(
    Type.Object({
      location_id: Type.Optional(Type.String({ description: 'Место; если неизвестно, поля нет.' })),
      location_code: Type.Optional(Type.String({ description: 'Код места на этикетке.' })),
      zone: Type.Optional(Type.String({ description: 'Зона склада.' })),
      box_id: Type.Optional(Type.String({ description: 'Короб; у единиц вне коробов поля нет.' })),
      sscc: Type.Optional(Type.String({ description: 'Его номер на этикетке.' })),
      qty: Type.Integer({ minimum: 1, description: 'Сколько единиц взять.' }),
      expires_on: Type.Optional(
        Type.String({ description: 'Единицы с каким сроком годности взять, ГГГГ-ММ-ДД.' }),
      ),
    }),
    {
      description:
        'Откуда взять недостающие единицы, по порядку обхода, а где учитывается срок годности — сначала то, что истечёт раньше; строки задания идут в том же порядке. ' +
        'Чего здесь нет, лежит вне коробов и мест.',
    },
  ),
  boxes: Type.Array(
    Type.Object({
      box_id: Type.String({ description: 'Короб.' }),
      sscc: Type.Optional(Type.String({ description: 'Его номер на этикетке.' })),
      qty: Type.Integer({ minimum: 1, description: 'Сколько единиц этого товара в коробе.' }),
    }),
    { description: 'Где искать: не больше пяти коробов; пусто, если единицы лежат вне коробов.' },
  ),
})

const PickingMiss = Type.Object(missFields)

const RefusedUnitMark = Type.Object({
  order_id: Type.String({ description: 'Заказ, которому нужна другая единица.' }),
  order_external_id: Type.String({ description: 'Его номер в кабинете.' }),
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: Type.String({ description: 'Название товара.' }),
  reason: Type.String({ description: 'Что не принял маркетплейс и почему, по-русски.' }),
})
export type RefusedUnitMark = Static<typeof RefusedUnitMark>

const refusedMarks = Type.Array(RefusedUnitMark, {
  description:
    'Единицы, чей код или метку маркетплейс не принял: достаньте их из посылок и возьмите другие. Обычно пусто.',
})

const MarkCounters = Type.Object(
  {
    proven: count('Проверены и приняты.'),
    waiting: count('Ждут ответа маркетплейса.'),
    refused: count('Не приняты, и другой единицы в заказе ещё нет.'),
  },
  {
    description:
      'Единицы отгрузки, о которых маркетплейсу переданы коды и метки; нет в списке заданий.',
  },
)

export const PickingTask = Type.Object(
  {
    ...summary,
    lines: Type.Optional(
      Type.Array(PickingLine, { description: 'Что собрать; нет в списке заданий.' }),
    ),
    misses: Type.Optional(
      Type.Array(PickingMiss, {
        description: 'Чего не нашли и что решено, по порядку; нет в списке заданий.',
      }),
    ),
    marks: Type.Optional(MarkCounters),
    refused_marks: Type.Optional(refusedMarks),
  },
  { $id: 'PickingTask', description: 'Задание на сборку отгрузки.' },
)
export type PickingTask = Static<typeof PickingTask>
export type PickingLine = Static<typeof PickingLine>
export type PickingMiss = Static<typeof PickingMiss>

export const PickResult = Type.Object(
  {
    scan_id: Type.String({ description: 'Номер скана.' }),
    repeated: Type.Boolean({
      description: 'true: этот скан уже был принят, ничего не изменилось.',
    }),
    undone: Type.Boolean({
      description: 'true: скан был отменён, единица снова на полке; нужен новый scan_id.',
    }),
    order_id: Type.String({ description: 'Заказ, в который попала единица.' }),
    order_external_id: Type.String({ description: 'Его номер в кабинете.' }),
    barcode: Type.String({ description: 'Её штрихкод.' }),
    name: Type.String({ description: 'Название товара.' }),
    order_units: count('Сколько единиц в заказе.'),
    order_picked: count('Сколько из них собрано, теперь.'),
    put_back: Type.Optional(
      Type.Object(
        {
          box_id: textOrNull('Короб, из которого взята; null, если не из короба.'),
          sscc: textOrNull('Его номер на этикетке.'),
          location_id: textOrNull('Место, с которого взята; null, если не с места.'),
          location_code: textOrNull('Код места на этикетке.'),
        },
        {
          description:
            'Только у отменённого скана: куда вернуть единицу. Все поля null — она была вне коробов и мест.',
        },
      ),
    ),
    order_packed: Type.Boolean({ description: 'Собран ли заказ целиком.' }),
    packed_at: momentOrNull('Когда собран; до этого null.'),
    marks: StoredMarks,
    notes,
    refused_marks: Type.Optional(refusedMarks),
  },
  { $id: 'PickResult', description: 'Что вышло из скана.' },
)
export type PickResult = Static<typeof PickResult>

export interface PickingTaskRow {
  id: string
  client_id: string
  client_name: string
  marketplace: Marketplace
  shipment_id: string
  shipment_external_id: string
  status: PickingTaskStatus
  opened_at: Timestamp
  done_at: Timestamp | null
  orders_count: number
  packed_count: number
  cancelled_count: number
  deadline: Timestamp | null
  claimed_by: string | null
  claim_login: string
  claim_name: string
  claimed_at: Timestamp
  claim_ends_at: Timestamp
}

export function pickingTaskView(
  row: PickingTaskRow,
  content?: Pick<PickingTask, 'lines' | 'misses' | 'marks' | 'refused_marks'>,
): PickingTask {
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_name,
    marketplace: row.marketplace,
    shipment_id: row.shipment_id,
    shipment_external_id: row.shipment_external_id,
    status: row.status,
    opened_at: row.opened_at,
    done_at: row.done_at,
    orders_count: row.orders_count,
    packed_count: row.packed_count,
    cancelled_count: row.cancelled_count,
    deadline: row.deadline,
    claim:
      row.claimed_by === null
        ? null
        : {
            user_id: row.claimed_by,
            login: row.claim_login,
            name: row.claim_name,
            claimed_at: row.claimed_at,
            ends_at: row.claim_ends_at,
          },
    ...content,
  }
}

export const PackCheck = Type.Object(
  {
    scan_id: Type.String({ description: 'Номер скана.' }),
    repeated: Type.Boolean({
      description: 'true: этот скан уже был принят, ничего не изменилось.',
    }),
    undone: Type.Boolean({
      description:
        'true: состав заказа с тех пор изменился, проверку начинают заново, с новым scan_id.',
    }),
    order_id: Type.String({ description: 'Заказ.' }),
    order_external_id: Type.String({ description: 'Его номер в кабинете.' }),
    barcode: Type.String({ description: 'Штрихкод проверенной единицы.' }),
    units: count('Сколько единиц в заказе.'),
    checked: count('Сколько из них проверено.'),
    complete: Type.Boolean({ description: 'Проверены все: заказ можно заклеивать.' }),
    missing: Type.Array(
      Type.Object({
        barcode: Type.String({ description: 'Штрихкод.' }),
        name: Type.String({ description: 'Название товара.' }),
        qty: Type.Integer({ minimum: 1, description: 'Сколько ещё отсканировать.' }),
      }),
      { description: 'Чего ещё не отсканировали.' },
    ),
  },
  { $id: 'PackCheck', description: 'Что вышло из проверки упаковки.' },
)
export type PackCheck = Static<typeof PackCheck>
