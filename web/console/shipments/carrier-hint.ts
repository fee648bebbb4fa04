/** WB announced that a supply of a carrier needs a waybill, and has not said since whether it does. */
export const carrierHint =
  'WB объявлял, что с октября 2026 года поставке транспортной компании нужна электронная транспортная накладная ' +
  '(ЭТрН). Если кабинет WB её попросит, оформите её там.'
