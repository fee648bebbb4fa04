import { render } from 'preact'
import { WallGate } from './wall.tsx'
import './style.css'

render(<WallGate />, document.getElementById('app') ?? document.body)
