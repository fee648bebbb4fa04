import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  oneOfValues,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import { type CountStatus, countOutcomes, countStatuses, countStatusLabels } from './state.ts'

/** Goods shown at most of those that nobody has counted yet. */
export const uncountedMax = 200

const hidden = 'пока пересчёт слепой, работнику не показывается'

const CountWorker = Type.Object({
  actor: Type.String({ description: 'Кто считал.' }),
  name: Type.Optional(Type.String({ description: 'Он же словами.' })),
  scans: count('Сколько сканов.'),
  units: count('Сколько единиц.'),
  last_at: moment('Последний скан; без сканов — когда закончил.'),
  finished_at: momentOrNull('Когда сказал, что считать больше нечего; null — считает.'),
})

const CountPlaceLine = Type.Object({
  box_id: textOrNull('Короб; null, если единицы вне коробов.'),
  sscc: textOrNull('Его номер.'),
  location_id: textOrNull('Место, где они лежат вне коробов; null, если не указано.'),
  location_code: textOrNull('Его код.'),
  counted: count('Сколько насчитали здесь.'),
  expected: Type.Optional(Type.Integer({ description: `Сколько числилось здесь; ${hidden}.` })),
})

const CountLine = Type.Object({
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: Type.String({ description: 'Название товара.' }),
  counted: count('Сколько насчитали.'),
  scans: count('Сколько сканов; 0 — товар никто не считал.'),
  expected: Type.Optional(
    Type.Integer({ description: `Сколько числилось, когда считали последний раз; ${hidden}.` }),
  ),
  expected_min: Type.Optional(
    Type.Integer({ description: 'Меньше всего числилось, пока считали: склад при этом работал.' }),
  ),
  expected_max: Type.Optional(
    Type.Integer({ description: 'Больше всего числилось, пока считали.' }),
  ),
  difference: Type.Optional(
    Type.Integer({ description: 'Лишние единицы (+) или недостающие (−); 0 — сошлось.' }),
  ),
  settled: Type.Boolean({ description: 'true: посчитано и отдано на проверку.' }),
  outcome: Type.Optional(
    Type.Unsafe<(typeof countOutcomes)[number] | null>({
      type: ['string', 'null'],
      enum: [...countOutcomes, null],
      description:
        'Решение: correct — остаток исправлен, in_question — единицы под вопросом, ignore — ничего не ' +
        'изменилось; null — не решено.',
    }),
  ),
  reason: Type.Optional(textOrNull('Причина решения, код.')),
  decided_at: Type.Optional(momentOrNull('Когда решено.')),
  decided_by: Type.Optional(textOrNull('Кто решил.')),
  places: Type.Array(CountPlaceLine, { description: 'Где насчитали.' }),
})
export type CountLine = Static<typeof CountLine>

const CountedPlace = Type.Object({
  box_id: textOrNull('Короб; null, если считают всё место.'),
  sscc: textOrNull('Номер короба на этикетке.'),
  location_id: textOrNull('Место, или где стоит короб; null, если неизвестно.'),
  location_code: textOrNull('Код места на этикетке.'),
  zone: textOrNull('Зона склада.'),
  scans: count('Сколько сканов здесь уже сделано.'),
})

const Goods = Type.Object({
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: Type.String({ description: 'Название товара.' }),
})

const scope = Type.Object(
  {
    barcodes: Type.Array(Type.String(), { description: 'Товары; пусто — все.' }),
    box_ids: Type.Array(Type.String(), { description: 'Короба.' }),
    location_ids: Type.Array(Type.String(), { description: 'Места хранения.' }),
  },
  { description: 'Что считают; всё пусто — все товары клиента.' },
)

export const StockCount = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор пересчёта.' }),
    client_id: Type.String({ description: 'Чьи товары.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    status: oneOfValues(countStatuses, 'Состояние.'),
    status_label: Type.String({ description: 'Состояние по-русски.' }),
    blind: Type.Boolean({ description: 'true: работники не видят, сколько числится.' }),
    for_client: Type.Boolean({ description: 'true: считают по просьбе клиента.' }),
    scope,
    created_at: moment('Когда заведён.'),
    created_by: Type.String({ description: 'Кем.' }),
    started_at: momentOrNull('Когда начали считать.'),
    reviewed_at: momentOrNull('Когда отдали на проверку.'),
    counted_at: momentOrNull(
      'Когда посчитали: все, кто считал, сказали, что закончили; null, пока кто-то считает или никто не начал. ' +
        'Состояние при этом не меняется: на проверку отдаёт менеджер.',
    ),
    ended_at: momentOrNull('Когда закрыт или отменён.'),
    ended_by: textOrNull('Кем.'),
    goods_count: count('Сколько разных товаров посчитано.'),
    units: count('Сколько единиц посчитано.'),
    scans: count('Сколько сканов, без отменённых.'),
    differing: Type.Optional(count(`Строк с расхождением; ${hidden}.`)),
    undecided: Type.Optional(count(`Из них не решено; ${hidden}.`)),
    places: Type.Optional(
      Type.Array(CountedPlace, {
        description:
          'Короба и места из scope, где считать, по порядку обхода; пусто — считают товары, где бы они ни ' +
          'лежали. В списке поля нет.',
      }),
    ),
    recount: Type.Optional(
      Type.Array(Goods, {
        description:
          'Какие товары менеджер просит посчитать заново, не больше 5000; есть, пока их считают. В списке поля нет.',
      }),
    ),
    uncounted: Type.Optional(
      Type.Array(Goods, {
        description:
          `Какие товары ещё никто не посчитал: если отдать на проверку сейчас, они посчитаны за 0; не больше ${uncountedMax}. ` +
          'Есть, пока считают товары, а не места; в списке поля нет.',
      }),
    ),
    other_barcodes: Type.Optional(
      Type.Array(
        Type.Object({
          barcode: Type.String({ description: 'Штрихкод товара.' }),
          others: Type.Array(Type.String(), { description: 'Другие штрихкоды этого же товара.' }),
        }),
        {
          description: 'Товары пересчёта, у которых несколько штрихкодов; в списке поля нет.',
        },
      ),
    ),
    dated_goods: Type.Optional(
      Type.Array(Goods, {
        description:
          'Товары пересчёта, срок годности которых учитывается, не больше 5000; в списке поля нет.',
      }),
    ),
    workers: Type.Optional(
      Type.Array(CountWorker, { description: 'Кто сколько насчитал; в списке поля нет.' }),
    ),
    lines: Type.Optional(
      Type.Array(CountLine, { description: 'По товарам, не больше 5000; в списке поля нет.' }),
    ),
  },
  { $id: 'StockCount', description: 'Пересчёт: документ инвентаризации.' },
)
export type StockCount = Static<typeof StockCount>

export const CountScan = Type.Object(
  {
    scan_id: Type.String({ description: 'Номер скана.' }),
    repeated: Type.Boolean({ description: 'true: скан уже был принят, ничего не изменилось.' }),
    undone: Type.Boolean({ description: 'true: скан отменён или товар считают заново.' }),
    barcode: Type.String({ description: 'Штрихкод товара.' }),
    name: Type.String({ description: 'Название товара.' }),
    box_id: textOrNull('Короб.'),
    sscc: textOrNull('Номер короба.'),
    location_id: textOrNull('Место.'),
    location_code: textOrNull('Код места.'),
    qty: count('Сколько единиц в скане.'),
    counted: count('Сколько этого товара насчитали всего.'),
    expected: Type.Optional(
      Type.Integer({ description: 'Сколько числится в этом месте; в слепом пересчёте поля нет.' }),
    ),
    at: moment('Когда.'),
  },
  { $id: 'CountScan', description: 'Что вышло из скана.' },
)
export type CountScan = Static<typeof CountScan>

export interface CountRow {
  id: string
  client_id: string
  client_name: string
  status: CountStatus
  blind: boolean
  for_client: boolean
  barcodes: string[]
  box_ids: string[]
  location_ids: string[]
  created_at: Timestamp
  created_by: string
  started_at: Timestamp | null
  reviewed_at: Timestamp | null
  counted_at: Timestamp | null
  ended_at: Timestamp | null
  ended_by: string | null
  goods_count: number
  units: number
  scans: number
  differing: number
  undecided: number
}

/** `blinded`: figures of the ledger are left out. */
export function countView(
  row: CountRow,
  blinded: boolean,
  content?: Pick<StockCount, 'places' | 'recount' | 'uncounted' | 'workers' | 'lines'>,
): StockCount {
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_name,
    status: row.status,
    status_label: countStatusLabels[row.status],
    blind: row.blind,
    for_client: row.for_client,
    scope: { barcodes: row.barcodes, box_ids: row.box_ids, location_ids: row.location_ids },
    created_at: row.created_at,
    created_by: row.created_by,
    started_at: row.started_at,
    reviewed_at: row.reviewed_at,
    counted_at: row.counted_at,
    ended_at: row.ended_at,
    ended_by: row.ended_by,
    goods_count: row.goods_count,
    units: row.units,
    scans: row.scans,
    ...(blinded ? {} : { differing: row.differing, undecided: row.undecided }),
    ...content,
  }
}
