import { settings, settingsInFiles } from '../src/settings.ts'

export const settingsPath = 'docs/settings.md'

/** The page of all settings, from settings.ts. */
export function settingsPage(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const otherwise = 'fallback' in setting ? `\`${setting.fallback}\`` : setting.otherwise
    return `| \`${name}\` | ${otherwise} | ${setting.meaning} |`
  })
  return `# Settings

Environment variables configure the service. It refuses to start with an invalid value and names the variable.
White space and a pair of quotes around a value are taken off, except for passwords. With \`_FILE\` behind its name, each of these
names a file that holds its value: ${settingsInFiles.map((name) => `\`${name}\``).join(',\n')}.
This page is generated from \`src/settings.ts\` by \`npm run openapi\`.

| Variable | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}
