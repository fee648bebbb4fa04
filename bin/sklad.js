#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node must parse what stands before the first import.
import { fileURLToPath } from 'node:url'

const needed = 26
const major = Number(process.versions.node.split('.')[0])
const [, file, command] = process.argv

if (major < needed) {
  // The process is replaced, so that no parent stays; Node has that since 22.15.
  const launcher = fileURLToPath(new URL('node', import.meta.url))
  const args = [launcher, ...process.execArgv, file, ...process.argv.slice(2)]
  if (process.execve) process.execve('/bin/sh', ['sh', ...args])
  console.error(
    `sklad: this is Node ${process.version}, and Sklad needs ${needed}: "npm ci" installs it. ` +
      'Start by "npm start", "npm run -s sklad -- <command>" or "bin/node bin/sklad.js <command>".',
  )
  process.exit(1)
}

// The service runs with these, however it was started: decision 0056. The process is replaced and keeps its id.
const flags = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--expose-gc',
  '--no-parallel-scavenge',
  '--heap-growing-percent=75',
]
if (command === 'serve' && process.execve && !process.execArgv.includes(flags.at(-1))) {
  const args = [...flags, ...process.execArgv, file, ...process.argv.slice(2)]
  process.execve(process.execPath, [process.argv0, ...args], {
    ...process.env,
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '4194304',
    MALLOC_TRIM_THRESHOLD_: '8388608',
    MALLOC_TOP_PAD_: '65536',
  })
}

// What was compiled once is not compiled again: it halves the time to start.
const { enableCompileCache } = await import('node:module')
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/sklad', import.meta.url)))

const { runCommandLine } = await import('../src/cli.ts')
await runCommandLine(process.argv)
