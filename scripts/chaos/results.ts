import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { commit, machine, resultsPath, table } from '../../bench/report.ts'
import type { ChaosReport } from './run.ts'

/** What one call of the command played. */
export interface Session {
  /** Its options, as they are written. */
  readonly command: string
  readonly commit: string
  runs: number
  acknowledged: number
  failed: number
  silenceMs: number
  /** How often each fault happened. */
  readonly faults: Record<string, number>
  readonly problems: string[]
}

export function openSession(command: string): Session {
  return {
    command,
    commit: commit(),
    runs: 0,
    acknowledged: 0,
    failed: 0,
    silenceMs: 0,
    faults: {},
    problems: [],
  }
}

export function add(session: Session, report: ChaosReport): void {
  session.runs += 1
  session.acknowledged += report.acknowledged
  session.silenceMs = Math.max(session.silenceMs, report.silenceMs)
  for (const name of report.faults) session.faults[name] = (session.faults[name] ?? 0) + 1
  if (report.problems.length > 0) session.failed += 1
  session.problems.push(...report.problems)
}

/**
 * Adds the session to the results of the day, or replaces what it wrote before: a table to read, and the same figures as
 * JSON, which the next session adds itself to.
 */
export function writeSession(directory: string, session: Session): void {
  const path = resultsPath(directory, 'chaos')
  const known = existsSync(`${path}.json`)
    ? (JSON.parse(readFileSync(`${path}.json`, 'utf8')) as { sessions: Session[] }).sessions
    : []
  const sessions = known.filter(({ command }) => command !== session.command).concat(session)
  replace(`${path}.json`, `${JSON.stringify({ sessions }, null, 2)}\n`)
  replace(`${path}.md`, describe(sessions))
}

/** Whoever reads it meanwhile sees the old or the new, never a half. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

function describe(sessions: readonly Session[]): string {
  const sum = (of: (session: Session) => number) =>
    sessions.reduce((all, session) => all + of(session), 0)
  const count = (n: number) => n.toLocaleString('en')
  const names = [...new Set(sessions.flatMap(({ faults }) => Object.keys(faults)))].sort()
  const problems = sessions.flatMap((session) => session.problems)
  return `# Chaos, ${new Date().toISOString().slice(0, 10)}

${machine()}, Node ${process.versions.node}. In each run a warehouse works (scans with dates, picks, sets, merging,
returns, photos, receipts, charges, the feed, webhooks, two cabinets that sync) while something fails. Then everything that was acknowledged is looked for, and the audit runs.

${count(sum(({ runs }) => runs))} runs, ${count(sum(({ acknowledged }) => acknowledged))} things acknowledged, ${sum(({ failed }) => failed)} runs did not pass.

${table(
  ['npm run chaos --', 'commit', 'runs', 'acknowledged', 'failed', 'longest silence, s'],
  sessions.map((session) => [
    session.command,
    session.commit,
    count(session.runs),
    count(session.acknowledged),
    `${session.failed}`,
    (session.silenceMs / 1_000).toFixed(1),
  ]),
)}

${table(
  ['Fault', 'times'],
  names.map((name) => [name, count(sum(({ faults }) => faults[name] ?? 0))]),
)}
${problems.map((problem) => `\n- ${problem}`).join('')}${problems.length > 0 ? '\n' : ''}`
}
