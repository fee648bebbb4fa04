// A day of a warehouse in minutes: "npm run trial". Both marketplaces run here as stand-ins in which
// orders come, are cancelled, travel and are received by themselves; the service runs beside them as
// "npm start" does, on a database of its own, and polls them; a robot collects the orders of the WB
// cabinet through the staff API, and OZON's carriages are made in the stand-in's own cabinet. What
// happens is printed as it happens. With DATA_DIR the data stay in its folder "trial"; otherwise they
// are deleted in the end. Ctrl-C ends all.
import { firstLine } from './trial/service.ts'
import { refuseDatabase } from './trial/settings.ts'

try {
  refuseDatabase(process.env)
  // Imported here, so that any failure in it prints one sentence.
  await import('./trial/day.ts')
} catch (error) {
  console.error(`Проба не удалась: ${firstLine(String((error as Error).message))}`)
  process.exitCode = 1
}
