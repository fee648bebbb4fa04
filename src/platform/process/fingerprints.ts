import type { Database, Queryable } from '../db/connection.ts'

/** Notes the secrets of the process that started last: with which of them a service works, its database can't tell otherwise. */
export async function recordFingerprints(
  db: Database,
  { fingerprints }: { readonly fingerprints: readonly string[] },
): Promise<void> {
  await db`
    with gone as (delete from secret_fingerprints where place >= ${fingerprints.length}::int)
    insert into secret_fingerprints as s (place, fingerprint)
    select place - 1, fingerprint
    from unnest(${[...fingerprints]}::text[]) with ordinality as f (fingerprint, place) order by place
    on conflict (place) do update set fingerprint = excluded.fingerprint
      where s.fingerprint <> excluded.fingerprint`
}

/** Newest first; none where no process of this version has started. */
export async function recordedFingerprints(db: Queryable): Promise<string[]> {
  const rows = await db<{ fingerprint: string }[]>`
    select fingerprint from secret_fingerprints order by place`
  return rows.map(({ fingerprint }) => fingerprint)
}
