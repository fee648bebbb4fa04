#!/usr/bin/env node
import { runClientCommand } from './command-line.ts'

const controller = new AbortController()
process.once('SIGINT', () => controller.abort())
process.once('SIGTERM', () => controller.abort())
// npx that is killed leaves what it started: the command notices that it was left.
if (process.env.npm_command === 'exec') {
  const { ppid } = process
  setInterval(() => process.ppid === ppid || controller.abort(), 500).unref()
}
process.exitCode = await runClientCommand(process.argv.slice(2), {
  print: console.log,
  printError: console.error,
  signal: controller.signal,
})
