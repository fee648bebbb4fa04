import type { Database, Queryable, Transaction } from './connection.ts'

/**
 * Reads that have to be of one moment. Inside a verb's transaction they are made in it, under the
 * locks that the verb holds.
 */
export function inSnapshot<T>(db: Queryable, read: (tx: Queryable) => Promise<T>): Promise<T> {
  if (isTransaction(db)) return read(db)
  return db.begin({ mode: 'isolation level repeatable read read only' }, read)
}

function isTransaction(db: Queryable): db is Transaction {
  return (db as Partial<Database>).begin === undefined
}
