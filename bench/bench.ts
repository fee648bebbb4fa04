// "npm run bench -- <what> [options]": api, webhooks, staff, sync, audit, charges, seller, growth, retention, warehouse, neighbours, photos, soak, tiers or restore. Default: api.
const benches: Readonly<Record<string, string>> = {
  api: './run.ts',
  webhooks: './webhooks.ts',
  staff: './staff.ts',
  sync: './sync.ts',
  audit: './audit.ts',
  charges: './charges.ts',
  seller: './seller.ts',
  growth: './growth.ts',
  retention: './retention.ts',
  warehouse: './warehouse.ts',
  neighbours: './neighbours.ts',
  photos: './photos.ts',
  soak: './soak.ts',
  tiers: './tiers.ts',
  restore: './restore.ts',
}

const [, , what = ''] = process.argv
if (Object.hasOwn(benches, what)) process.argv.splice(2, 1)
else if (what !== '' && !what.startsWith('-')) {
  console.error(`bench: ${what} is none of ${Object.keys(benches).join(', ')}`)
  process.exit(1)
}
await import(benches[what] ?? './run.ts')
