import process from 'node:process'
import { defineConfig } from 'prisma/config'

// `prisma generate` asks for the schema engine, which it never runs; naming any executable spares the
// download, so that generating works offline.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
})
