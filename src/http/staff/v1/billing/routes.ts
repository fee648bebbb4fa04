import type { FastifyInstance } from 'fastify'
import type { StaffDependencies } from '../../dependencies.ts'
import { addActPapers } from './act-papers.ts'
import { addChargeRoutes } from './charges.ts'
import { addPeriodRoutes } from './periods.ts'
import { addTariffRoutes } from './tariffs.ts'
import { addTariffTrial } from './trial.ts'

/** Money: tariffs of warehouses and clients, charges, and acts. */
export function addBilling(app: FastifyInstance, dependencies: StaffDependencies): void {
  addTariffRoutes(app, dependencies)
  addChargeRoutes(app, dependencies)
  addTariffTrial(app, dependencies)
  addPeriodRoutes(app, dependencies)
  addActPapers(app, dependencies)
}
