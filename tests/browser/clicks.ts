import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'

/** What a job costs a person: presses of the pointer and of keys that act, and fields that are filled. No job needs the help. */

interface Cost {
  readonly presses: number
  readonly fields: number
}

interface Measured extends Cost {
  readonly job: string
  readonly seconds: number
}

export type CountJob = (job: string, atMost: Cost, act: () => Promise<unknown>) => Promise<void>

const measured: Measured[] = []
after(() => {
  if (process.env.CLICKS !== undefined && measured.length > 0) console.log(table())
})

/** Counts the jobs that are done on this page and on those that it becomes; one that costs more than its bound fails. */
export async function countJobs(page: Page): Promise<CountJob> {
  let presses = 0
  let fields = new Set<string>()
  let helped = 0
  await page.exposeFunction('countHelp', () => void helped++)
  await page.exposeFunction('countPress', () => void presses++)
  await page.exposeFunction('countField', (name: string) => void fields.add(name))
  await page.addInitScript(watchHands)
  await page.evaluate(watchHands)
  return async (job, atMost, act) => {
    presses = 0
    fields = new Set()
    const begun = performance.now()
    await act()
    const seconds = (performance.now() - begun) / 1000
    // What the page has reported before it answers is counted.
    await page.evaluate(() => undefined)
    measured.push({ job, presses, fields: fields.size, seconds })
    const cost = `${job}: ${presses} presses, ${fields.size} fields (${[...fields].join(', ')})`
    assert.ok(presses > 0, cost)
    assert.equal(helped, 0, `${job}: the help was opened`)
    assert.ok(presses <= atMost.presses && fields.size <= atMost.fields, cost)
  }
}

/** On the page. */
declare const countHelp: () => void
declare const countPress: () => void
declare const countField: (name: string) => void

/** In the page: tells of what a hand does, not of what scripts do. */
function watchHands(): void {
  const options = { capture: true, passive: true }
  const choices = ['checkbox', 'radio']
  const isHelp = (at: EventTarget | null) =>
    at instanceof Element && at.closest('button')?.textContent?.startsWith('Справка') === true
  addEventListener(
    'pointerdown',
    ({ isTrusted, target }) => {
      if (isTrusted) countPress()
      if (isHelp(target)) countHelp()
    },
    options,
  )
  addEventListener(
    'keydown',
    ({ isTrusted, key, ctrlKey }) => {
      if (isTrusted && (key === 'Enter' || (ctrlKey && key !== 'Control'))) countPress()
      if (key === '?') countHelp()
    },
    options,
  )
  addEventListener(
    'input',
    ({ target }) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
      if (choices.includes(target.type)) return
      countField(target.name || target.getAttribute('aria-label') || target.id)
    },
    options,
  )
}

function table(): string {
  return [
    '| Job | Presses | Fields | Seconds |',
    '|---|---:|---:|---:|',
    ...measured.map(
      ({ job, presses, fields, seconds }) =>
        `| ${job} | ${presses} | ${fields} | ${seconds.toFixed(1)} |`,
    ),
  ].join('\n')
}
