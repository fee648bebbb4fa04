import type { FastifyInstance } from 'fastify'
import { sayWhenToRepeat } from '../../route/unavailable.ts'
import { reportUnknownParameters } from '../../route/unknown-parameters.ts'
import { unknownRoutesRefusal } from '../../server/known-methods.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { addStaffGate } from '../gate.ts'
import { addMemberWarehouses } from '../member-warehouses.ts'
import { addActPapers } from './billing/act-papers.ts'
import { addChargeRoutes } from './billing/charges.ts'
import { addPeriodRoutes } from './billing/periods.ts'
import { addTariffRoutes } from './billing/tariffs.ts'
import { addTariffTrial } from './billing/trial.ts'
import { addCabinetCalls } from './clients/cabinet-calls.ts'
import { addCabinetSync, addCabinetWarehouses } from './clients/cabinet-sync.ts'
import { addCabinets } from './clients/cabinets.ts'
import { addClients } from './clients/clients.ts'
import { addKeys } from './clients/keys.ts'
import { addClientWebhooks, addWebhookAttempts } from './clients/webhooks.ts'
import { addExports } from './exports/exports.ts'
import { addAssemblies } from './goods/assemblies.ts'
import { addLookup } from './goods/lookup.ts'
import { addStockLots } from './goods/lots.ts'
import { addMerging } from './goods/merging.ts'
import { addOtherBarcodes } from './goods/other-barcodes.ts'
import { addProductPictures } from './goods/pictures.ts'
import { addProducts } from './goods/products.ts'
import { addSets } from './goods/sets.ts'
import { addClientStock } from './goods/stock.ts'
import { addStockEntries } from './goods/stock-entries.ts'
import { addOrderEvidence } from './orders/evidence.ts'
import { addStaffOrders } from './orders/orders.ts'
import { addPackingChecks } from './orders/packing-checks.ts'
import { addBulkLabels } from './papers/bulk-labels.ts'
import { addDocuments } from './papers/documents.ts'
import { addLabels } from './papers/labels.ts'
import { addMarketplaceLabels } from './papers/marketplace-labels.ts'
import { addPrintJobs } from './papers/print-jobs.ts'
import { addPrintStations } from './papers/print-stations.ts'
import { addDevices } from './people/devices.ts'
import { addListViews } from './people/list-views.ts'
import { addStaffNotices } from './people/notices.ts'
import { addSellerUsers } from './people/seller-users.ts'
import { addPinSession, addSession } from './people/session.ts'
import { addShifts } from './people/shifts.ts'
import { addUsers } from './people/users.ts'
import { addPicking } from './picking/picking.ts'
import { addReceiptImport, addReceiptRegistration } from './receipts/receipt-registration.ts'
import { addReceiptScans } from './receipts/receipt-scans.ts'
import { addStaffReceipts } from './receipts/receipts.ts'
import { addWalkInReceipts } from './receipts/walk-in-receipts.ts'
import { addExpectedReturns } from './returns/expected-returns.ts'
import { addReturnScans } from './returns/return-scans.ts'
import { addReturns } from './returns/returns.ts'
import { addExceptions } from './service/exceptions.ts'
import { addFigures } from './service/figures.ts'
import { addJournals } from './service/journals.ts'
import { addPhotos } from './service/photos.ts'
import { addReasons } from './service/reasons.ts'
import { addSwitches } from './service/switches.ts'
import { addToday } from './service/today.ts'
import { addWarehouses } from './service/warehouses.ts'
import { addChosenOrders } from './shipments/chosen-orders.ts'
import { addShipmentDestination } from './shipments/shipment-destination.ts'
import {
  addDayShipment,
  addShipmentShortages,
  addWaitingOrders,
} from './shipments/shipment-lists.ts'
import { addStaffShipments } from './shipments/shipments.ts'
import { addShippingDefaults } from './shipments/shipping-defaults.ts'
import { addBoxContents } from './storage/box-contents.ts'
import { addCountScans } from './storage/count-scans.ts'
import { addCounts } from './storage/counts.ts'
import { addLocationContents } from './storage/location-contents.ts'
import { addLocationRoutes } from './storage/locations.ts'
import { addPlacing } from './storage/placing.ts'
import { addStorage } from './storage/storage.ts'

/** What users choose for their own pages and mailbox. */
function addOwnChoices(v1: FastifyInstance, dependencies: StaffDependencies): void {
  addListViews(v1, dependencies)
  addStaffNotices(v1, dependencies)
}

/** Products of clients, their pictures, other barcodes and parts. */
function addGoods(v1: FastifyInstance, dependencies: StaffDependencies): void {
  addProducts(v1, dependencies)
  addProductPictures(v1, dependencies)
  addOtherBarcodes(v1, dependencies)
  addMerging(v1, dependencies)
  addStockLots(v1, dependencies)
  addSets(v1, dependencies)
  addAssemblies(v1, dependencies)
}

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
      addMemberWarehouses(v1, dependencies.db)
      addSession(v1, dependencies)
      addPinSession(v1, dependencies)
      addDevices(v1, dependencies)
      addUsers(v1, dependencies)
      addOwnChoices(v1, dependencies)
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
      addJournals(v1, dependencies)
      addWebhookAttempts(v1, dependencies)
      addClientWebhooks(v1, dependencies)
      addGoods(v1, dependencies)
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
      addDayShipment(v1, dependencies)
      addChosenOrders(v1, dependencies)
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
      for (const add of [addToday, addFigures, addLookup, addBilling, addPhotos, addOrderEvidence])
        add(v1, dependencies)
      addCounts(v1, dependencies)
      addCountScans(v1, dependencies)
      v1.setNotFoundHandler(refuseUnknownRoutes)
    },
    { prefix: '/staff/v1' },
  )
}

/** Money: tariffs of warehouses and clients, charges, and acts. */
function addBilling(app: FastifyInstance, dependencies: StaffDependencies): void {
  addTariffRoutes(app, dependencies)
  addChargeRoutes(app, dependencies)
  addTariffTrial(app, dependencies)
  addPeriodRoutes(app, dependencies)
  addActPapers(app, dependencies)
}
