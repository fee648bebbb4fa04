import { render } from 'preact'
import { KioskGate } from './gate.tsx'
import './style.css'

render(<KioskGate />, document.getElementById('app') ?? document.body)
