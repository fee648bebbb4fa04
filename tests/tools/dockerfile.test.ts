import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { missing, runTool } from './installed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('dockerfilelint finds nothing in the Dockerfile', { skip: missing }, async () => {
  const report = await runTool(root, 'dockerfilelint/bin/dockerfilelint', [
    '--output',
    'json',
    'Dockerfile',
  ])
  const { totalIssues, files } = JSON.parse(report) as { totalIssues: number; files: unknown }
  assert.equal(totalIssues, 0, JSON.stringify(files, null, 2))
})
