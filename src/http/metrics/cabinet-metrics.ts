import type { Registry } from 'prom-client'
import { type CabinetFigures, cabinetStates } from '../../exchange/marketplaces/sync/figures.ts'
import { addFigureGauge, keepFigures } from './figure-metrics.ts'

/** Prometheus metrics of the exchange with marketplaces; all are figures of the database. */
export function observeCabinets(registry: Registry, read: () => Promise<CabinetFigures>): void {
  const figures = keepFigures(read)
  addFigureGauge(registry, figures, {
    name: 'sklad_marketplaces_enabled',
    help: '0 while the exchange with marketplaces is switched off',
    show: (set, { enabled }) => set({}, enabled ? 1 : 0),
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_cabinets',
    help: 'Cabinets that are synced, by state: synced, late, failing or refused (their key)',
    labels: ['state'],
    show: (set, { cabinets }) => {
      for (const state of cabinetStates) set({ state }, 0)
      for (const { state, count } of cabinets) set({ state }, count)
    },
  })
}
