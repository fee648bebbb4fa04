#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node must parse this file to print which version is needed.
const needed = 26
const major = Number(process.versions.node.split('.')[0])

if (major < needed) {
  console.error(
    `Sklad needs Node ${needed} or newer; this is ${process.version}. ` +
      'On Linux and macOS "npm ci" installs it: start through "npm start" or "npm run -s sklad -- <command>".',
  )
  process.exit(1)
}

// The service runs with these, however it was started: decision 0056. The process is replaced and keeps its id.
const [, file, command] = process.argv
const flags = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--expose-gc',
  '--no-parallel-scavenge',
  '--heap-growing-percent=50',
]
if (command === 'serve' && process.execve && !process.execArgv.includes(flags.at(-1))) {
  const args = [...flags, ...process.execArgv, file, ...process.argv.slice(2)]
  process.execve(process.execPath, [process.argv0, ...args], {
    ...process.env,
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TOP_PAD_: '65536',
  })
}

// What was compiled once is not compiled again: it halves the time to start.
const { enableCompileCache } = await import('node:module')
enableCompileCache(new URL('../node_modules/.cache/sklad', import.meta.url).pathname)

const { runCommandLine } = await import('../src/cli.ts')
await runCommandLine(process.argv)
