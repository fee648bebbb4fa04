interface ScriptPolicy {
  createScriptURL(url: string): string
}

interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy
}

const address = '/staff/scan/worker.js'

/** Makes the page open without network. Browsers allow that with HTTPS only, and on this very machine. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) {
    void keepFiles().catch(() => undefined)
    return
  }
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('worker', { createScriptURL: () => address })
  const url = policy?.createScriptURL(address) ?? address
  navigator.serviceWorker.register(url, { scope: '/staff/scan' }).catch(() => {
    // Without it the page works as long as it stays open.
  })
}

/** Stores the files of all tasks in the browser, so that a task opens without network even the first time. */
async function keepFiles(): Promise<void> {
  const script = await (await fetch(address)).text()
  const files = new Set(script.match(/\/assets\/[\w.-]+/g))
  await Promise.all([...files].map((file) => fetch(file)))
}
