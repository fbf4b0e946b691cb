// Makes a database for the tests of services on a PostgreSQL with pgvector, if one answers, and drops it.
//   node .ci/postgres.mjs create NAME   prints the new database's address
//   node .ci/postgres.mjs drop ADDRESS
import process from 'node:process'
import pg from 'pg'

const servers = [
  'postgres://postgres@127.0.0.1:5432/postgres',
  'postgres://root@127.0.0.1:5432/postgres',
  'postgres://postgres:postgres@127.0.0.1:5432/postgres',
]

const [verb, argument] = process.argv.slice(2)
process.exitCode = verb === 'create' ? await create(argument) : await drop(argument)

async function create(name) {
  const reasons = new Set()
  for (const server of servers) {
    try {
      await on(server, async (client) => {
        const found = await client.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
        if (found.rowCount === 0) throw new Error('it has no pgvector')
        await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
      })
      const address = new URL(server)
      address.pathname = `/${name}`
      console.log(address.href)
      return 0
    } catch (error) {
      reasons.add(error.message)
    }
  }
  console.error(`No PostgreSQL to test on (${[...reasons].join('; ')}): its tests are left out.`)
  return 1
}

async function drop(address) {
  const server = new URL(address)
  const name = server.pathname.slice(1)
  server.pathname = '/postgres'
  await on(server.href, (client) =>
    client.query(`DROP DATABASE ${client.escapeIdentifier(name)} WITH (FORCE)`),
  )
  return 0
}

async function on(server, work) {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
