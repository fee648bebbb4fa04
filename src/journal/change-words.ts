/**
 * A change in words for managers: each field that differs, with its old and new value. Fields without a Russian name
 * here keep their own.
 */

const fieldNames: Readonly<Record<string, string>> = {
  quantity: 'остаток',
  available: 'в наличии',
  in_question: 'под вопросом',
  reserved: 'в резерве',
  units: 'единиц',
  qty: 'единиц',
  barcode: 'штрихкод',
  name: 'название',
  article: 'артикул',
  status: 'статус',
  inn: 'ИНН',
  warehouse_code: 'склад',
  warehouses: 'склады',
  role: 'роль',
  active: 'доступ',
  login: 'логин',
  has_password: 'пароль задан',
  orders_count: 'заказов',
  packed_count: 'собрано заказов',
  cancelled_count: 'отменено заказов',
  packed_at: 'собран',
  order_packed: 'заказ собран',
  undone: 'скан отменён',
  undone_at: 'скан отменён',
  claim: 'кто собирает',
  shipment_id: 'отгрузка',
  external_id: 'номер',
  closed_at: 'закрыта',
  accepted_at: 'принята',
  accepted_qty: 'принято единиц',
  expected_qty: 'заявлено единиц',
  reason: 'причина',
  comment: 'комментарий',
  pallet_id: 'паллета',
  box_id: 'короб',
  to_box_id: 'в короб',
  order_id: 'заказ',
  scan_id: 'скан',
  receipts_enabled: 'заявки через API',
  intake_open: 'приём заявок',
  shipments: 'отгрузки кабинета',
  deadline: 'срок',
  deadline_hours: 'срок, часов',
  honest_mark: 'маркировка',
  marks: 'метки',
  added: 'добавлены заказы',
  removed: 'убран заказ',
  cancelled: 'отменена',
  released: 'освобождены задания',
  marketplace_status: 'статус маркетплейса',
}

const wordsMax = 30
const valueLengthMax = 120

/** What differs between two states; of a state without another one, its fields. */
export function changesInWords(before: unknown, after: unknown): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const words = names.flatMap((name) => {
    const [from, to] = [shown(old[name]), shown(now[name])]
    if (JSON.stringify(old[name]) === JSON.stringify(now[name]) || isIdentifier(name)) return []
    const label = fieldNames[name] ?? name
    if (before === null || before === undefined) return [`${label}: ${to}`]
    return [`${label} ${from} → ${to}`]
  })
  return words.slice(0, wordsMax)
}

/** Ids say nothing to a reader; the entry names its object and client. */
function isIdentifier(name: string): boolean {
  return name === 'id' || name === 'client_id'
}

function fieldsOf(state: unknown): Readonly<Record<string, unknown>> {
  return typeof state === 'object' && state !== null && !Array.isArray(state)
    ? (state as Record<string, unknown>)
    : {}
}

function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'нет'
  if (typeof value === 'boolean') return value ? 'да' : 'нет'
  if (Array.isArray(value)) return value.length === 0 ? 'нет' : cut(value.map(shown).join(', '))
  if (typeof value === 'object') {
    const { login } = value as { readonly login?: unknown }
    if (typeof login === 'string') return login
    const parts = Object.entries(value).map(
      ([name, part]) => `${fieldNames[name] ?? name}: ${shown(part)}`,
    )
    return cut(parts.join('; '))
  }
  return cut(momentText(String(value)))
}

/** A moment of ours as people write it. */
function momentText(text: string): string {
  const [, year, month, day, time] =
    /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)\+03:00$/.exec(text) ?? []
  return time === undefined ? text : `${day}.${month}.${year} ${time}`
}

function cut(text: string): string {
  return text.length <= valueLengthMax ? text : `${text.slice(0, valueLengthMax - 1)}…`
}
