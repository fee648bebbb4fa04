#!/usr/bin/env node
import { runClientCommand } from './command-line.ts'

const controller = new AbortController()
process.once('SIGINT', () => controller.abort())
process.once('SIGTERM', () => controller.abort())
process.exitCode = await runClientCommand(process.argv.slice(2), {
  print: console.log,
  printError: console.error,
  signal: controller.signal,
})
