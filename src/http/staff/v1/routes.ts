import type { FastifyInstance } from 'fastify'
import { isUnavailable } from '../../../db/in-time.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import { unknownRoutesRefusal } from '../../known-methods.ts'
import { reportUnknownParameters } from '../../unknown-parameters.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { addStaffGate } from '../gate.ts'
import { addOwnWarehouses } from '../own-warehouses.ts'
import { addBoxContents } from './box-contents.ts'
import { addBulkLabels } from './bulk-labels.ts'
import { addCabinetCalls } from './cabinet-calls.ts'
import { addCabinetSync } from './cabinet-sync.ts'
import { addCabinetWarehouses } from './cabinet-warehouses.ts'
import { addCabinets } from './cabinets.ts'
import { addClients } from './clients.ts'
import { addCountScans } from './count-scans.ts'
import { addCounts } from './counts.ts'
import { addDevices } from './devices.ts'
import { addDocuments } from './documents.ts'
import { addExceptions } from './exceptions.ts'
import { addExpectedReturns } from './expected-returns.ts'
import { addExports } from './exports.ts'
import { addFigures } from './figures.ts'
import { addJournals } from './journals.ts'
import { addKeys } from './keys.ts'
import { addLabels } from './labels.ts'
import { addLocationContents } from './location-contents.ts'
import { addLocationRoutes } from './locations.ts'
import { addLookup } from './lookup.ts'
import { addMarketplaceLabels } from './marketplace-labels.ts'
import { addStaffOrders } from './orders.ts'
import { addPackingChecks } from './packing-checks.ts'
import { addPicking } from './picking.ts'
import { addPlacing } from './placing.ts'
import { addPrintJobs } from './print-jobs.ts'
import { addPrintStations } from './print-stations.ts'
import { addProducts } from './products.ts'
import { addReasons } from './reasons.ts'
import { addReceiptImport, addReceiptRegistration } from './receipt-import.ts'
import { addReceiptScans } from './receipt-scans.ts'
import { addStaffReceipts } from './receipts.ts'
import { addReturnScans } from './return-scans.ts'
import { addReturns } from './returns.ts'
import { addSellerUsers } from './seller-users.ts'
import { addPinSession, addSession } from './session.ts'
import { addShifts } from './shifts.ts'
import { addShipmentDestination } from './shipment-destination.ts'
import { addShipmentShortages } from './shipment-shortages.ts'
import { addWaitingOrders } from './shipment-waiting-orders.ts'
import { addStaffShipments } from './shipments.ts'
import { addShippingDefaults } from './shipping-defaults.ts'
import { addClientStock } from './stock.ts'
import { addStockEntries } from './stock-entries.ts'
import { addStorage } from './storage.ts'
import { addSwitches } from './switches.ts'
import { addToday } from './today.ts'
import { addUsers } from './users.ts'
import { addWalkInReceipts } from './walk-in-receipts.ts'
import { addWarehouses } from './warehouses.ts'
import { addClientWebhooks, addWebhookAttempts } from './webhooks.ts'

/** Adds all paths below /staff/v1. Unknown paths and methods pass the gate too. */
export async function addStaffApi(
  app: FastifyInstance,
  dependencies: StaffDependencies,
): Promise<void> {
  await app.register(
    async (v1) => {
      v1.setErrorHandler(sayWhenToRepeat)
      const refuseUnknownRoutes = unknownRoutesRefusal(v1)
      await addStaffGate(v1, dependencies)
      v1.addHook('onRequest', refuseUnknownRoutes)
      v1.addHook('onRequest', reportUnknownParameters)
      addOwnWarehouses(v1, dependencies.db)
      const titles = operationTitles(v1)
      addSession(v1, dependencies)
      addPinSession(v1, dependencies)
      addDevices(v1, dependencies)
      addUsers(v1, dependencies)
      addShifts(v1, dependencies)
      addStaffReceipts(v1, dependencies)
      addReceiptRegistration(v1, dependencies)
      addReceiptImport(v1, dependencies)
      addReceiptScans(v1, dependencies)
      addWalkInReceipts(v1, dependencies)
      addWarehouses(v1, dependencies)
      addSwitches(v1, dependencies)
      addClients(v1, dependencies)
      addCabinets(v1, dependencies)
      addCabinetSync(v1, dependencies)
      addCabinetCalls(v1, dependencies)
      addCabinetWarehouses(v1, dependencies)
      addMarketplaceLabels(v1, dependencies)
      addKeys(v1, dependencies)
      addSellerUsers(v1, dependencies)
      addJournals(v1, dependencies, titles)
      addWebhookAttempts(v1, dependencies)
      addClientWebhooks(v1, dependencies)
      addProducts(v1, dependencies)
      addReasons(v1, dependencies)
      addStorage(v1, dependencies)
      addBoxContents(v1, dependencies)
      addLabels(v1, dependencies)
      addBulkLabels(v1, dependencies)
      addLocationRoutes(v1, dependencies)
      addLocationContents(v1, dependencies)
      addPlacing(v1, dependencies)
      addClientStock(v1, dependencies)
      addStockEntries(v1, dependencies)
      addStaffOrders(v1, dependencies)
      addStaffShipments(v1, dependencies)
      addShipmentShortages(v1, dependencies)
      addWaitingOrders(v1, dependencies)
      addShippingDefaults(v1, dependencies)
      addShipmentDestination(v1, dependencies)
      addPicking(v1, dependencies)
      addPackingChecks(v1, dependencies)
      addExpectedReturns(v1, dependencies)
      addReturns(v1, dependencies)
      addReturnScans(v1, dependencies)
      addExceptions(v1, dependencies)
      addDocuments(v1, dependencies)
      addExports(v1, dependencies)
      addPrintStations(v1, dependencies)
      addPrintJobs(v1, dependencies)
      addToday(v1, dependencies)
      addFigures(v1, dependencies)
      addLookup(v1, dependencies)
      addCounts(v1, dependencies)
      addCountScans(v1, dependencies)
      v1.setNotFoundHandler(refuseUnknownRoutes)
    },
    { prefix: '/staff/v1' },
  )
}

const repeatAfterSeconds = 2

/** A handheld repeats by itself where the database was not there. */
function sayWhenToRepeat(error: unknown): never {
  if (!isUnavailable(error)) throw error
  const retryAfterSeconds = repeatAfterSeconds
  throw new ServiceError('unavailable', undefined, { retryAfterSeconds, cause: error })
}

/** Fills with the Russian names of the operations that are declared from now on. */
function operationTitles(app: FastifyInstance): ReadonlyMap<string, string> {
  const titles = new Map<string, string>()
  app.addHook('onRoute', ({ schema }) => {
    if (schema?.operationId === undefined) return
    titles.set(schema.operationId, schema.summary ?? schema.operationId)
  })
  return titles
}
