import { before } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * Loads the test files of one process. No test starts before all are loaded, so none meets the preparations of another.
 * A file that can't be loaded ends the process at once: what the others have opened would keep it.
 */
export async function loadSlice(paths: readonly string[]): Promise<void> {
  const loaded = Promise.withResolvers<void>()
  before(() => loaded.promise)
  for (const path of paths) {
    await import(pathToFileURL(path).href).catch((error: unknown) => {
      console.error(`${path} can't be loaded:`, error)
      process.exit(1)
    })
  }
  loaded.resolve()
}
