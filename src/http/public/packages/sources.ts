import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../../../sdk/', import.meta.url)

/** Where the sources show the address of a service. */
const shownAddress = 'https://api.example.ru'

/** The files of `sdk/`, with the service's own address where they show one. */
export interface ClientSources {
  read(path: string): string
  /** The names of the files in a folder, in order. */
  namesIn(path: string): string[]
  /** A text made of them, with that address. */
  addressed(text: string): string
}

export function clientSources(baseUrl: string): ClientSources {
  const addressed = (text: string) => text.replaceAll(shownAddress, baseUrl)
  return {
    addressed,
    read: (path) => addressed(readFileSync(new URL(path, folder), 'utf8')),
    namesIn: (path) => readdirSync(new URL(path, folder)).sort(),
  }
}
