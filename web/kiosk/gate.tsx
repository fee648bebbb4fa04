import { useState } from 'preact/hooks'
import { useDeviceHere } from '../staff/device-here.ts'
import { EnrolForm } from '../staff/enrol-form.tsx'
import { StaffSessionGate, useSession } from '../staff/session.tsx'
import { Failure } from '../ui/failure.tsx'
import { Kiosk } from './kiosk.tsx'

/** An enrolled station needs nobody who signs in; elsewhere somebody signs in, or enrols the station. */
export function KioskGate() {
  const { device, error, reload } = useDeviceHere('STATION')
  const [isEnrolling, setEnrolling] = useState(false)
  if (device) return <Kiosk who={device.name} />
  if (device === undefined && error === undefined) return null
  const isRevoked = error?.code === 'device_revoked'
  const below = (
    <>
      {isRevoked && (
        <p class="notice warn" role="alert">
          Эту станцию отозвали. Попросите у менеджера новый код или войдите.
        </p>
      )}
      <button type="button" onClick={() => setEnrolling(true)}>
        Зарегистрировать станцию
      </button>
      <p class="quiet small">Зарегистрированная станция печатает без входа.</p>
    </>
  )
  if (isEnrolling) {
    return (
      <main class="centred">
        <div class="panel stack">
          <h1>Регистрация станции</h1>
          <EnrolForm purpose="STATION" onEnrolled={reload} />
          <button type="button" onClick={() => setEnrolling(false)}>
            Войти по паролю
          </button>
        </div>
      </main>
    )
  }
  if (error !== undefined && !isRevoked) {
    return (
      <main class="centred">
        <Failure error={error} retry={reload} />
      </main>
    )
  }
  return (
    <StaffSessionGate title="Sklad: печать" below={below}>
      <OfPerson />
    </StaffSessionGate>
  )
}

function OfPerson() {
  const { user, signOut } = useSession()
  return <Kiosk who={user.name} signOut={signOut} />
}
