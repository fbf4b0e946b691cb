import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { variables } from './src/config/variables.ts'
import { browserPath } from './test/support/browser.ts'
import { LongestFirst } from './test/support/order.ts'

// Tests state their own settings: what the shell happens to hold must not reach them. The two services are
// kept for the tests that are about them.
const { REDIS_URL, DATABASE_URL } = process.env
for (const name of Object.keys(variables.shape)) delete process.env[name]

// Test files by the service that they need; a folder takes part only where its service is there.
const services = [
  ...(REDIS_URL ? ['test/service/redis/**/*.test.ts'] : []),
  ...(DATABASE_URL ? ['test/service/postgres/**/*.test.ts'] : []),
  ...(REDIS_URL && DATABASE_URL ? ['test/service/both/**/*.test.ts'] : []),
]
const set = (values: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])))

export default defineConfig({
  test: {
    // Native modules, WebAssembly databases and child processes want processes of their own. One more than the cores
    // that a small machine has, since much of the time goes into waiting.
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    retry: 0,
    sequence: { sequencer: LongestFirst },
    // Files share a process and what is loaded in it, as Node itself loads it: nothing here replaces modules, and what
    // tests open is their own.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: ['test/support/room.ts'],
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: ['test/service/**', ...(browserPath() ? [] : ['test/**/*.browser.test.ts'])],
        },
      },
      ...(services.length > 0
        ? [
            {
              extends: true as const,
              test: { name: 'service', include: services, env: set({ REDIS_URL, DATABASE_URL }) },
            },
          ]
        : []),
    ],
  },
})
