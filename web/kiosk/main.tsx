import { render } from 'preact'
import { StaffSessionGate } from '../staff/session.tsx'
import { Kiosk } from './kiosk.tsx'
import './style.css'

render(
  <StaffSessionGate title="Sklad: печать">
    <Kiosk />
  </StaffSessionGate>,
  document.getElementById('app') ?? document.body,
)
