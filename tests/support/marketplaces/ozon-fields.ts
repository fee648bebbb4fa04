import { readFileSync } from 'node:fs'

/** Fields that OZON sends and no test sets. */

export const productFields = {
  archived: false,
  has_fbo_stocks: false,
  has_fbs_stocks: true,
  is_discounted: false,
  quants: [],
}

const cancellation = {
  affect_cancellation_rating: false,
  cancel_reason: '',
  cancel_reason_id: 0,
  cancellation_initiator: '',
  cancellation_type: '',
  cancelled_after_ship: false,
}

const requirements = {
  products_requiring_change_country: [],
  products_requiring_country: [],
  products_requiring_gtd: [],
  products_requiring_imei: [],
  products_requiring_jw_uin: [],
  products_requiring_mandatory_mark: [],
  products_requiring_rnpt: [],
}

/** Fields about the buyer: OZON names them by words that are not ours. */
const { buyer, noBuyer } = JSON.parse(
  readFileSync(new URL('./ozon-buyer.json', import.meta.url), 'utf8'),
) as { buyer: object; noBuyer: object }

/** Of a posting in the list and in the answer about one. */
const postingFields = {
  available_actions: [],
  cancellation,
  delivering_date: '2026-11-25T15:30:00.000Z',
  destination_place_id: 0,
  destination_place_name: '',
  is_click_and_collect: false,
  is_express: false,
  is_multibox: false,
  is_presortable: false,
  legal_info: { company_name: '', inn: '', kpp: '' },
  multi_box_qty: 1,
  optional: { products_with_possible_mandatory_mark: [] },
  parent_posting_number: '',
  pickup_code_verified_at: null,
  require_blr_traceable_attrs: false,
  requirements,
  shipment_date_without_delay: '2026-11-21T12:00:00.000Z',
  tpl_integration_type: 'ozon',
  tracking_number: '',
}

export const listedPostingFields = {
  ...postingFields,
  ...buyer,
  analytics_data: {
    city: '',
    client_delivery_date_begin: '2026-11-26T08:00:00.000Z',
    client_delivery_date_end: '2026-11-28T20:00:00.000Z',
    delivery_date_begin: '2026-11-24T08:00:00.000Z',
    delivery_date_end: '2026-11-25T20:00:00.000Z',
    delivery_type: 'PVZ',
    is_premium: false,
    payment_type_group_name: '',
    region: '',
    tpl_provider: 'Доставка Ozon',
    tpl_provider_id: 24,
    warehouse_id: 22_100,
  },
  barcodes: { lower_barcode: '', upper_barcode: '' },
  container: {
    cargo_type: 'BOX',
    container_date: '2026-11-20',
    container_id: 1,
    container_number: 1,
  },
  container_sort_type: 'standard',
  delivery_schema: 'fbs',
  external_order: { is_external: false, platform_name: '' },
  integration_type_flow: 'ozon',
  prr_option: '',
  products: [
    {
      imei: [],
      is_blr_traceable: false,
      is_marketplace_buyout: false,
      product_color: '',
      weight: 0.5,
    },
  ],
  quantum_id: 0,
  scanit: '',
  sorting_center: null,
  tariffication: {
    current_tariff_rate: 0,
    current_tariff_type: 'no_discount',
    next_tariff_starts_at: '2026-11-22T00:00:00.000Z',
  },
  volume_weight: 1,
}

const rubles = (amount: string) => ({ amount, currency: 'RUB' })

const singlePostingFields = {
  ...postingFields,
  additional_data: [],
  barcodes: null,
  courier: null,
  ...noBuyer,
  delivery_price: '',
  fact_delivery_date: null,
  financial_data: null,
  previous_substatus: '',
  product_exemplars: null,
  provider_status: '',
  prr_option: { code: '', price: '', currency_code: 'RUB', floor: '' },
  related_postings: null,
  related_weight_postings: [],
  requirements: { ...requirements, products_requiring_weight: [] },
  tariffication: {
    current_tariff_rate: 0,
    current_tariff_type: 'no_discount',
    current_tariff_charge: '',
    current_tariff_charge_currency_code: 'RUB',
    next_tariff_rate: 1,
    next_tariff_type: 'commission',
    next_tariff_charge: '50',
    next_tariff_starts_at: '2026-11-22T00:00:01Z',
    next_tariff_charge_currency_code: 'RUB',
  },
  tariffication_steps: [
    {
      min_charge: null,
      tariff_charge: rubles('0'),
      tariff_deadline_at: '2026-11-22T00:00:00Z',
      tariff_rate: 0,
      tariff_type: 'no_discount',
    },
  ],
}

const singleProductFields = {
  currency_code: 'RUB',
  dimensions: { height: '150.00', length: '500.00', weight: '550', width: '300.00' },
  has_imei: false,
  is_blr_traceable: false,
  is_marketplace_buyout: false,
  is_weight_needed: false,
  weight_max: 0.55,
  weight_min: 0,
}

interface Shown {
  readonly products: readonly { readonly price: unknown }[]
  readonly requirements?: object | null
  readonly cancellation?: object | null
}

/** The answer about one posting is older than that of the list: prices are texts, and it says less. */
export function asSinglePosting(posting: unknown): unknown {
  const shown = posting as Shown
  const merged = (fields: object, given: object | null | undefined) =>
    given && { ...fields, ...given }
  return {
    ...singlePostingFields,
    ...Object.fromEntries(Object.entries(shown).filter(([name]) => !listOnly.has(name))),
    cancellation: merged(cancellation, shown.cancellation),
    requirements: merged(singlePostingFields.requirements, shown.requirements),
    products: shown.products.map((product) => ({
      ...singleProductFields,
      ...product,
      price: '100.00',
    })),
  }
}

const listOnly = new Set(['barcodes', 'delivery_schema', 'integration_type_flow'])

export const warehouseFields = {
  address_info: {
    address: 'Россия, Тверская область, Тверь, промзона, 1',
    latitude: 55.6,
    longitude: 38.27,
    utc: 'UTC+03:00',
  },
  carriage_label_type: 'BIG',
  courier_comment: '',
  courier_phones: ['+70000000000'],
  created_at: '2026-02-03T11:57:51.811Z',
  first_mile: {
    type: 'PICK_UP',
    dropoff_point_id: '3386291562985237',
    timeslot_from: '20:59',
    timeslot_id: 769359,
    timeslot_to: '21:00',
    first_mile_is_changing: false,
  },
  has_entrusted_acceptance: true,
  has_postings_limit: false,
  is_auto_assembly: true,
  is_kgt: true,
  is_waybill_enabled: true,
  min_postings_limit: 2,
  is_comfort: true,
  is_express: true,
  warehouse_type: 'abc',
  cut_in_time: 0,
  phone: '+70000000000',
  postings_limit: -1,
  sla_cut_in: 2939,
  status: 'created',
  timetable: {
    timetable_from: '2026-02-03T11:57:51.811Z',
    timetable_to: '2026-02-03T11:57:51.811Z',
    working_hours: [{ time_from: '2026-02-03T11:57:51.811Z', time_to: '2026-02-03T11:57:51.811Z' }],
  },
  updated_at: '2026-02-03T11:57:51.811Z',
  with_item_list: true,
  working_days: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'],
}
