import { render } from 'preact'
import { LocationProvider, lazy, Route, Router } from 'preact-iso'
import { useModule } from '../ui/use-module.ts'
import { useCameraOpen } from './camera/open.ts'
import { Home } from './home/home.tsx'
import { routes } from './paths.ts'
import { registerWorker } from './register-worker.ts'
import { attachWedge } from './scan/wedge.ts'
import { Gate } from './sign-in/gate.tsx'
import './style.css'

/** Above every page while the camera is on. */
function CameraSlot() {
  return useCameraOpen() ? <Loaded /> : null
}

function Loaded() {
  const loaded = useModule(() => import('./camera/camera.tsx'))
  return loaded === undefined ? <p class="camera-wait">Включаем камеру…</p> : <loaded.Camera />
}

const Picking = lazy(() => import('./picking/picking.tsx').then((page) => page.Picking))
const Receiving = lazy(() => import('./receiving/receiving.tsx').then((page) => page.Receiving))
const Station = lazy(() => import('./home/station.tsx').then((page) => page.Station))
const Returns = lazy(() => import('./returns/returns.tsx').then((page) => page.Returns))
const Batch = lazy(() => import('./returns/batch.tsx').then((page) => page.Batch))
const WalkIn = lazy(() => import('./receiving/walk-in.tsx').then((page) => page.WalkIn))
const Placing = lazy(() => import('./units/placing.tsx').then((page) => page.Placing))
const Counting = lazy(() => import('./counting/counting.tsx').then((page) => page.Counting))
const Units = lazy(() => import('./units/units.tsx').then((page) => page.Units))
const Checking = lazy(() => import('./checking/checking.tsx').then((page) => page.Checking))
const FindParcel = lazy(() => import('./checking/find-parcel.tsx').then((page) => page.FindParcel))
const Code = lazy(() => import('./code/code.tsx').then((page) => page.Code))

function Handheld() {
  return (
    <LocationProvider scope={/^\/staff\/scan(\/|$|\?)/}>
      <Gate>
        <CameraSlot />
        <Router>
          <Route path={routes.home} component={Home} />
          <Route path={routes.picking} component={Picking} />
          <Route path={routes.receiving} component={Receiving} />
          <Route path={routes.station} component={Station} />
          <Route path={routes.returns} component={Returns} />
          <Route path={routes.returnBatch} component={Batch} />
          <Route path={routes.walkIn} component={WalkIn} />
          <Route path={routes.placing} component={Placing} />
          <Route path={routes.counting} component={Counting} />
          <Route path={routes.units} component={Units} />
          <Route path={routes.findParcel} component={FindParcel} />
          <Route path={routes.checking} component={Checking} />
          <Route path={routes.code} component={Code} />
          <Route default component={Home} />
        </Router>
      </Gate>
    </LocationProvider>
  )
}

attachWedge()
render(<Handheld />, document.getElementById('app') ?? document.body)
registerWorker()
