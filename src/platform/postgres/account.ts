import { readFileSync, statSync } from 'node:fs'
import { StartError } from '../kernel/errors.ts'

/** The user that runs the server when the service runs as root: PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

const preferredNames = ['sklad', 'nobody']

/**
 * Chooses the user that runs the server of the cluster at `clusterPath`: the owner of an existing cluster, else the
 * first of `sklad`, `nobody` and any other ordinary user. Returns undefined when the server runs as this process's user.
 *
 * @throws StartError when this process can't switch to the cluster's owner, or no user exists
 */
export function chooseAccount(clusterPath: string): Account | undefined {
  const ownUid = process.getuid?.()
  const owner = statSync(clusterPath, { throwIfNoEntry: false })
  if (ownUid === undefined) return undefined
  if (ownUid !== 0) {
    if (owner === undefined || owner.uid === ownUid) return undefined
    throw new StartError(
      `${clusterPath} in DATA_DIR belongs to user ${owner.uid}, and this process is user ${ownUid}; run as that user or as root`,
    )
  }
  if (owner !== undefined && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid, name: String(owner.uid) }
  }
  return chooseUser()
}

/** Reads the file itself: the user must be found there by PostgreSQL's programs too. */
function chooseUser(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(parseEntry)
    .filter((account) => account !== undefined)
  const preferred = preferredNames
    .map((name) => accounts.find((account) => account.name === name))
    .find((account) => account !== undefined)
  const account = preferred ?? accounts.at(-1)
  if (account !== undefined) return account
  throw new StartError(
    'PostgreSQL refuses to run as root and there is no other user in /etc/passwd; set DATABASE_URL to the address of a server',
  )
}

/** One line of /etc/passwd; undefined for root and for what is not an entry. */
function parseEntry(line: string): Account | undefined {
  const [name, , uid, gid] = line.split(':')
  const account = { name: name ?? '', uid: Number(uid), gid: Number(gid) }
  return account.name && account.uid > 0 && account.gid >= 0 ? account : undefined
}
