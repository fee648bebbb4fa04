import { isIP } from 'node:net'
import { StartError } from './platform/kernel/errors.ts'
import { type SettingName, type SettingWithFallback, settings } from './settings.ts'

/** How the text of a setting becomes a value. Each throws StartError with the setting's name and what is allowed. */

export type Environment = Readonly<Partial<Record<SettingName, string>>>

/** The text of a setting, or its default. */
export function textOfSetting(env: Environment, name: SettingWithFallback): string {
  return env[name] || settings[name].fallback
}

export function wholeNumberOf(
  env: Environment,
  name: SettingWithFallback,
  min: number,
  max: number,
): number {
  const text = textOfSetting(env, name)
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < min || value > max) {
    throw new StartError(`${name} must be a whole number from ${min} to ${max}, got "${text}"`)
  }
  return value
}

/** Microseconds per token, from a number of tokens per `seconds`. */
export function microsPerToken(
  env: Environment,
  name: SettingWithFallback,
  seconds: number,
): number {
  const tokens = wholeNumberOf(env, name, 1, 1_000_000_000)
  return Math.max(1, Math.round((seconds * 1_000_000) / tokens))
}

export function oneOfAllowed<const T extends string>(
  env: Environment,
  name: SettingName,
  allowed: readonly T[],
  fallback: string,
): T {
  const text = env[name] || fallback
  const value = allowed.find((each) => each === text)
  if (value === undefined) {
    throw new StartError(`${name} must be one of ${allowed.join(', ')}, got "${text}"`)
  }
  return value
}

export function isSwitchedOn(env: Environment, name: SettingWithFallback): boolean {
  return oneOfAllowed(env, name, ['on', 'off'], settings[name].fallback) === 'on'
}

/** The address as the URL standard writes it: links are made of it, and pages compare it with their own. */
export function webAddress(env: Environment, name: SettingName, fallback: string): string {
  const text = env[name] || fallback
  const parsed = /\s/.test(text) ? null : URL.parse(text)
  const plain = parsed !== null && parsed.search === '' && parsed.hash === ''
  if (!plain || !/^https?:$/.test(parsed.protocol)) {
    throw new StartError(
      `${name} must be an http or https address without ? and #, got ${JSON.stringify(text)}`,
    )
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new StartError(`${name} must be an address without a user and a password`)
  }
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '')
}

/** A name or an address to listen on; IPv6 also in brackets, as URLs have it. */
export function hostToListenOn(env: Environment, name: 'HOST' | 'METRICS_HOST'): string {
  const text = textOfSetting(env, name)
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 || /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i.test(host)) return host
  throw new StartError(
    `${name} must be a host name or an address without scheme and port, got ${JSON.stringify(text)}`,
  )
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds, from a text such as 10s, 5m or 12h. */
export function milliseconds(env: Environment, name: SettingWithFallback): number {
  return readDuration(name, textOfSetting(env, name))
}

export function readDuration(name: string, text: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  const value = Number(digits) * (unitMs[unit as keyof typeof unitMs] ?? Number.NaN)
  if (!(value >= 1)) {
    throw new StartError(`${name} must be a time such as 10s, 5m or 12h, got "${text}"`)
  }
  return value
}
