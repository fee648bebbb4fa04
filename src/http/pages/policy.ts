import type { SurfaceName } from './surfaces.ts'

/**
 * What a browser allows the pages: scripts, styles and data of this service alone, nothing written into the page
 * itself, no frames and no sensor.
 */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "media-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types worker',
].join('; ')

/**
 * The page of a print station shows what it prints in a frame of this service. The handheld reads codes with the camera,
 * by a decoder that is WebAssembly.
 */
function policyOf(surface: SurfaceName): string {
  if (surface === 'kiosk') return `${contentPolicy}; frame-src 'self'`
  return surface === 'handheld'
    ? contentPolicy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
    : contentPolicy
}

export function pageHeadersOf(surface: SurfaceName) {
  const camera = surface === 'handheld' ? '(self)' : '()'
  return {
    'Content-Security-Policy': policyOf(surface),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': `camera=${camera}, microphone=(), geolocation=(), payment=(), usb=()`,
  }
}
