import { render } from 'preact'
import { LocationProvider, lazy, Route, Router } from 'preact-iso'
import { StaffSessionGate, useSession } from '../staff/session.tsx'
import { RefusedFilters } from '../ui/forms/refusal.tsx'
import { Viewer } from '../ui/lists/use-saved-views.ts'
import { Frame } from './frame.tsx'
import { SharedViews } from './parts/shared-views.tsx'
import { paths } from './paths.ts'
import './style.css'
import { Home } from './start/home.tsx'

/** Which page stands at which address. All but the first load when somebody opens them. */
const pages = {
  [paths.receipts]: lazy(() => import('./receipts/receipts.tsx')),
  [paths.receipt]: lazy(() => import('./receipts/receipt.tsx')),
  [paths.orders]: lazy(() => import('./orders/orders.tsx')),
  [paths.order]: lazy(() => import('./orders/order.tsx')),
  [paths.shipments]: lazy(() => import('./shipments/shipments.tsx')),
  [paths.shipment]: lazy(() => import('./shipments/shipment.tsx')),
  [paths.stock]: lazy(() => import('./stock/stock.tsx')),
  [paths.lots]: lazy(() => import('./stock/lots.tsx')),
  [paths.movements]: lazy(() => import('./stock/movements.tsx')),
  [paths.picking]: lazy(() => import('./orders/picking.tsx')),
  [paths.pickingTask]: lazy(() => import('./orders/picking-task.tsx')),
  [paths.returns]: lazy(() => import('./returns/returns.tsx')),
  [paths.return]: lazy(() => import('./returns/return.tsx')),
  [paths.expectedReturns]: lazy(() => import('./returns/expected-returns.tsx')),
  [paths.counts]: lazy(() => import('./counts/counts.tsx')),
  [paths.count]: lazy(() => import('./counts/count.tsx')),
  [paths.exceptions]: lazy(() => import('./exceptions/exceptions.tsx')),
  [paths.misses]: lazy(() => import('./misses/misses.tsx')),
  [paths.start]: lazy(() => import('./start/first-run.tsx')),
  [paths.tariffs]: lazy(() => import('./money/tariffs.tsx')),
  [paths.clients]: lazy(() => import('./clients/clients.tsx')),
  [paths.client]: lazy(() => import('./clients/client.tsx')),
  [paths.cabinets]: lazy(() => import('./cabinets/cabinets.tsx')),
  [paths.cabinet]: lazy(() => import('./cabinets/cabinet.tsx')),
  [paths.locations]: lazy(() => import('./storage/locations.tsx')),
  [paths.location]: lazy(() => import('./storage/location.tsx')),
  [paths.map]: lazy(() => import('./storage/map.tsx')),
  [paths.boxes]: lazy(() => import('./storage/boxes.tsx')),
  [paths.box]: lazy(() => import('./storage/box.tsx')),
  [paths.pallet]: lazy(() => import('./storage/pallet.tsx')),
  [paths.figures]: lazy(() => import('./figures/warehouse-figures.tsx')),
  [paths.notices]: lazy(() => import('./people/notices.tsx')),
  [paths.shifts]: lazy(() => import('./people/shifts.tsx')),
  [paths.users]: lazy(() => import('./people/users.tsx')),
  [paths.devices]: lazy(() => import('./people/devices.tsx')),
  [paths.warehouses]: lazy(() => import('./settings/warehouses.tsx')),
  [paths.printing]: lazy(() => import('./printing/stations.tsx')),
  [paths.printJobs]: lazy(() => import('./printing/jobs.tsx')),
  [paths.reasons]: lazy(() => import('./settings/reasons.tsx')),
  [paths.webhook]: lazy(() => import('./settings/webhook.tsx')),
  [paths.services]: lazy(() => import('./settings/services.tsx')),
  [paths.changes]: lazy(() => import('./journals/changes.tsx')),
  [paths.calls]: lazy(() => import('./journals/calls.tsx')),
  [paths.receiptRequests]: lazy(() => import('./journals/receipt-requests.tsx')),
  [paths.refusedReceipts]: lazy(() => import('./journals/refused-receipts.tsx')),
  [paths.letters]: lazy(() => import('./journals/letters.tsx')),
}

function Console() {
  return (
    <StaffSessionGate title="Sklad: склад">
      <Pages />
    </StaffSessionGate>
  )
}

function Pages() {
  return (
    <Viewer.Provider value={useSession().user.login}>
      <LocationProvider scope={/^\/staff\/app(\/|$|\?)/}>
        <SharedViews>
          <Frame>
            <RefusedFilters>
              <Router>
                <Route path={paths.today} component={Home} />
                {Object.entries(pages).map(([path, page]) => (
                  <Route key={path} path={path} component={page} />
                ))}
                <Route default component={Missing} />
              </Router>
            </RefusedFilters>
          </Frame>
        </SharedViews>
      </LocationProvider>
    </Viewer.Provider>
  )
}

function Missing() {
  return (
    <div class="stack">
      <h1>Такой страницы нет</h1>
      <p>
        <a href={paths.today}>На главную</a>
      </p>
    </div>
  )
}

render(<Console />, document.getElementById('app') ?? document.body)
