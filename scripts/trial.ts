// Plays a day of a warehouse in minutes: "npm run trial". Stand-ins of both marketplaces run in this process; in
// them orders arrive, are cancelled, travel and are received. The service runs beside them as "npm start" runs it,
// on a database of its own, and syncs with them. A robot picks the orders of the WB cabinet through the staff API;
// the OZON stand-in creates its carriages itself. The trial prints every event. With DATA_DIR it keeps its data in
// the folder "trial" there; otherwise it deletes them at the end. Ctrl-C stops everything.
import { firstLine } from './trial/service.ts'
import { refuseDatabase } from './trial/settings.ts'
import { introduction } from './trial/tell.ts'

try {
  refuseDatabase(process.env)
  console.log(introduction)
  // Imported here, so that any failure in it prints one sentence.
  await import('./trial/day.ts')
} catch (error) {
  console.error(`Проба не удалась: ${firstLine(String((error as Error).message))}`)
  process.exitCode = 1
}
