import personalFields from './personal-fields.json' with { type: 'json' }

/**
 * Which fields of the marketplaces' bodies may be kept. All others lose their values. So a field that a marketplace adds
 * tomorrow shows its name and type, and nothing of a buyer.
 */

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** People, and where they live: below a key that begins with one of these, no value is kept. */
const personal = new RegExp(`^(?:${personalFields.join('|')})`, 'i')

/** Numbers, and texts of digits, letters and marks without Cyrillic: ids, states, codes, dates, quantities. */
const words = names(`
  id rid nmId nmID chrtId chrtID chrtIds imtID orderId orderID orderIds orders supplyId supplyID skus cargoType
  cargoTypes convertedCurrencyCode convertedPrice convertedFinalPrice createdAt updatedAt closedAt scanDt
  crossBorderType currencyCode price finalPrice salePrice scanPrice ddate sellerDate deliveryType officeId
  destinationOfficeId officeType warehouseId warehouse_id warehouse_ids warehouse_type shippingDt shippingPointId
  shippingType trbxIds supplierStatus wbStatus next limit total amount stocks barcode barcodes requiredMeta
  optionalMeta decision timestamp status statuses substatus previous_substatus code cursor ascending withPhoto
  partA partB stickerId
  posting_number posting_numbers parent_posting_number related_postings order_id order_number order_numbers sku
  product_id item_id quantity present reserved free_stock currency_code in_process_at shipment_date
  shipment_date_without_delay delivering_date fact_delivery_date last_changed_status_date since to from
  tpl_integration_type integration_type_flow tpl_provider_id delivery_schema delivery_type delivery_method_id
  cancellation_type cancellation_initiator cancel_reason_id cancelled_after_ship container_sort_type multi_box_qty
  scanit has_next last_id sort_dir visibility source type mark_type task_id task_type tasks carriage_id carriage_status
  carriages postings_count postings_limit containers_count container_id container_number container_date cargo_type
  departure_date cutoff_at first_mile_type timeslot_id timeslot_from timeslot_to recommended_time_local
  mandatory_packaged_count mandatory_postings_count printed_postings_count exemplar_id check_status error_codes
  products_requiring_mandatory_mark products_requiring_gtd products_requiring_country products_requiring_rnpt
  products_requiring_jw_uin products_requiring_imei products_requiring_weight products_requiring_change_country
  products_with_possible_mandatory_mark country_iso_code expires_at methods available_actions seller_error
  provider_status dropoff_point_id destination_place_id weight weight_min weight_max volume_weight dimensions
  height width length success result requestId status_code updated_at created_at working_days
  utc lower_barcode upper_barcode hasMore key subjectID
  schema return_schema sys_name change_moment visual_status_change_moment time_from time_to return_date final_moment
  arrived_moment technical_return_moment utilization_forecast_date tariff_type current_tariff_type next_tariff_type
`)

/** Texts in any language about goods and warehouses. */
const texts = names(`
  article vendorCode offer_id offer_ids techSize wbSize brand subjectName colorCode product_color
  warehouse warehouse_name delivery_method_name tpl_provider
`)

/** Free texts of refusals: they may name anybody. */
const refusals = names(`
  message detail details errorText statusText origin error errors description_error
`)

/** Texts that are kept only below these keys: elsewhere the same name may be a person's. */
const textsBelow: Readonly<Record<string, ReadonlySet<string>>> = {
  name: names(
    'products items delivery_method warehouses roles supplies methods shippingPoints characteristics tags product place target_place',
  ),
  title: names('cards'),
  city: names('shippingPoints'),
  address: names('shippingPoints place target_place'),
}

/** Names of the objects that a whole answer may be, on these paths. */
const namedRoots = /^\/api\/v3\/(?:supplies(?:\/[\w-]+)?|warehouses)$/

/** Whoever has the code of these calls may fetch the seller's returns. */
const secretCodes = /^\/v1\/return\/giveout\//

/** Texts of a refusal at the top of a body. */
const refusalTexts = names('title reason')

export type FieldKind = 'word' | 'text' | 'refusal' | 'file' | 'unknown' | 'personal'

/** What may be kept of a field, by its name, the name of the object or list that holds it, and the call's path. */
export function kindOfField(name: string, parent: string, path: string): FieldKind {
  if (secretCodes.test(path)) return 'personal'
  if (textsBelow[name]?.has(parent)) return 'text'
  if (personal.test(name)) return 'personal'
  if (name === 'file' || name === 'file_content') return 'file'
  if (parent === '' && name === 'name' && namedRoots.test(path)) return 'text'
  if ((parent === '' || parent === 'error') && refusalTexts.has(name)) return 'refusal'
  if (refusals.has(name)) return 'refusal'
  if (texts.has(name)) return 'text'
  return words.has(name) ? 'word' : 'unknown'
}

const queryWords = names(
  'limit next dateFrom dateTo type width height cargoType cursor offset locale is_rfbs',
)

export function keepsQuery(name: string): boolean {
  return queryWords.has(name)
}

const headerNames =
  /^(?:content-type|content-length|retry-after|x-ratelimit-[\w-]+|ratelimit[\w-]*|x-request-id|request-id|x-o3-trace-id|date)$/

export function keepsHeader(name: string): boolean {
  return headerNames.test(name)
}
