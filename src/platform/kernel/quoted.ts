/** A name in quotes; those within it become „ “, so that «ООО «Ромашка»» is not doubled. */
export function quoted(name: string): string {
  return `«${name.replaceAll('«', '„').replaceAll('»', '“')}»`
}
