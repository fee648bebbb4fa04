import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { knownCalls } from './format.ts'
import { openPlayer } from './play.ts'

/** Writes the outcomes of all known answers. Read every difference before you keep it. */
for (const marketplace of ['wb', 'ozon'] as const) {
  const player = await openPlayer(marketplace)
  const outcomes: Record<string, Record<string, unknown>> = {}
  for (const { call, cases } of knownCalls(marketplace)) {
    if (player.questions[call] === undefined) continue
    const byName: Record<string, unknown> = {}
    for (const one of cases) byName[one.name] = await player.play(call, one)
    outcomes[call] = byName
  }
  player.close()
  const path = new URL(
    `../../../contract/known-answers/outcomes/${marketplace}.json`,
    import.meta.url,
  )
  writeFileSync(fileURLToPath(path), `${JSON.stringify(outcomes, null, 2)}\n`)
}
