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

// What was compiled once is not compiled again: it halves the time to start.
const { enableCompileCache } = await import('node:module')
enableCompileCache(new URL('../node_modules/.cache/sklad', import.meta.url).pathname)

const { runCommandLine } = await import('../src/cli.ts')
await runCommandLine(process.argv)
