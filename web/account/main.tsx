import { render } from 'preact'
import { LocationProvider, lazy, Route, Router } from 'preact-iso'
import { Frame } from './frame.tsx'
import { Overview } from './goods/overview.tsx'
import { DeveloperChoice } from './parts/developer.tsx'
import { Page } from './parts/page.tsx'
import { paths } from './paths.ts'
import { Invitation } from './people/invitation.tsx'
import { NewPassword } from './people/new-password.tsx'
import { AccountGate } from './session.tsx'
import './style.css'

const Stock = lazy(() => import('./goods/stock.tsx').then(({ Stock }) => Stock))
const Product = lazy(() => import('./goods/product.tsx').then(({ ProductPage }) => ProductPage))
const Movements = lazy(() => import('./goods/movements.tsx').then(({ Movements }) => Movements))
const Sales = lazy(() => import('./goods/sales.tsx').then(({ SalesPage }) => SalesPage))
const Cover = lazy(() => import('./goods/cover.tsx').then(({ CoverPage }) => CoverPage))
const Lots = lazy(() => import('./goods/lots.tsx').then(({ LotsPage }) => LotsPage))
const Orders = lazy(() => import('./goods/orders.tsx').then(({ Orders }) => Orders))
const Order = lazy(() => import('./goods/orders.tsx').then(({ OrderPage }) => OrderPage))
const Receipts = lazy(() => import('./goods/receipts.tsx').then(({ Receipts }) => Receipts))
const Receipt = lazy(() => import('./goods/receipts.tsx').then(({ ReceiptPage }) => ReceiptPage))
const ChangedReceipt = lazy(() =>
  import('./goods/new-receipt.tsx').then(({ ChangedReceipt }) => ChangedReceipt),
)
const NewReceipt = lazy(() =>
  import('./goods/new-receipt.tsx').then(({ NewReceipt }) => NewReceipt),
)
const Shipments = lazy(() => import('./goods/shipments.tsx').then(({ Shipments }) => Shipments))
const Shipment = lazy(() =>
  import('./goods/shipments.tsx').then(({ ShipmentPage }) => ShipmentPage),
)
const Returns = lazy(() => import('./goods/returns.tsx').then(({ Returns }) => Returns))
const Return = lazy(() => import('./goods/returns.tsx').then(({ ReturnPage }) => ReturnPage))
const Metrics = lazy(() => import('./goods/metrics.tsx').then(({ MetricsPage }) => MetricsPage))
const Money = lazy(() => import('./goods/money.tsx').then(({ Money }) => Money))
const Keys = lazy(() => import('./developers/keys.tsx').then(({ Keys }) => Keys))
const Webhooks = lazy(() => import('./developers/webhooks.tsx').then(({ Webhooks }) => Webhooks))
const Webhook = lazy(() =>
  import('./developers/webhook.tsx').then(({ WebhookPage }) => WebhookPage),
)
const Events = lazy(() => import('./developers/events.tsx').then(({ Events }) => Events))
const Calls = lazy(() => import('./developers/calls.tsx').then(({ Calls }) => Calls))
const Sandbox = lazy(() => import('./developers/sandbox.tsx').then(({ Sandbox }) => Sandbox))
const Users = lazy(() => import('./people/users.tsx').then(({ Users }) => Users))
const NoticesPage = lazy(() =>
  import('./people/notices.tsx').then(({ NoticesPage }) => NoticesPage),
)
const OpenedFromLetter = lazy(() =>
  import('./people/notices.tsx').then(({ OpenedFromLetter }) => OpenedFromLetter),
)
const Security = lazy(() => import('./people/security.tsx').then(({ Security }) => Security))

function Account() {
  if (location.pathname === paths.invitation) return <Invitation />
  if (location.pathname === paths.password) return <NewPassword />
  return (
    <AccountGate>
      <LocationProvider scope={/^\/account(?!\/(?:docs|v1|openapi|invitation|password))(\/|$|\?)/}>
        <Frame>
          <Router>
            <Route path={paths.overview} component={Overview} />
            <Route path={paths.stock} component={Stock} />
            <Route path={`${paths.stock}/:barcode`} component={Product} />
            <Route path={paths.movements} component={Movements} />
            <Route path={paths.sales} component={Sales} />
            <Route path={paths.cover} component={Cover} />
            <Route path={paths.lots} component={Lots} />
            <Route path={paths.orders} component={Orders} />
            <Route path={`${paths.orders}/:id`} component={Order} />
            <Route path={paths.receipts} component={Receipts} />
            <Route path={paths.newReceipt} component={NewReceipt} />
            <Route path={`${paths.receipts}/:id/change`} component={ChangedReceipt} />
            <Route path={`${paths.receipts}/:id`} component={Receipt} />
            <Route path={paths.shipments} component={Shipments} />
            <Route path={`${paths.shipments}/:id`} component={Shipment} />
            <Route path={paths.returns} component={Returns} />
            <Route path={`${paths.returns}/:id`} component={Return} />
            <Route path={paths.metrics} component={Metrics} />
            <Route path={paths.money} component={Money} />
            <Route path={paths.keys} component={Keys} />
            <Route path={paths.webhooks} component={Webhooks} />
            <Route path={`${paths.webhooks}/:id`} component={Webhook} />
            <Route path={paths.events} component={Events} />
            <Route path={paths.calls} component={Calls} />
            <Route path={paths.sandbox} component={Sandbox} />
            <Route path={paths.users} component={Users} />
            <Route path={paths.notices} component={NoticesPage} />
            <Route path={paths.open} component={OpenedFromLetter} />
            <Route path={paths.security} component={Security} />
            <Route default component={Missing} />
          </Router>
        </Frame>
      </LocationProvider>
    </AccountGate>
  )
}

function Missing() {
  return (
    <Page title="Такой страницы нет">
      <p>
        <a href={paths.overview}>На главную</a>
      </p>
    </Page>
  )
}

render(
  <DeveloperChoice>
    <Account />
  </DeveloperChoice>,
  document.getElementById('app') ?? document.body,
)
